/** The MCP server of `anp mcp`: tools over standard input and output, one question at a time. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { openSchema } from "../model/schema/open-schema.ts";
import { printable } from "../report/terminal/printable.ts";
import { answerOf, answerSchema, NOTE } from "./answer.ts";
import { type Allowed, askCommand, refusalOfCommits } from "./ask-command.ts";
import { Refused } from "./confined-path.ts";
import { argumentsSchema, type Fields, wordsOf } from "./fields.ts";
import { type Tool, TOOLS } from "./tools.ts";

const INSTRUCTIONS = `anp answers questions about Karpenter's NodePools and HyperShift's AutoNodePolicy from manifests. It only reads, and only in the folder that it was started for. ${NOTE} Its answers are computed from the files: ask again after a change. Long lists come in parts: limit and offset.`;

/** A request is some names and paths. */
const MOST_BYTES = 1024 * 1024;
const MOST_WAITING = 16;

interface McpSettings extends Omit<Allowed, "builds"> {
  /** kustomize and helm may build. */
  readonly render: boolean;
}

/** Whether this is the single executable, which ignores options of node. */
export function isExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/**
 * Serves until the client closes the standard input.
 *
 * @param folder that all questions are about
 */
export async function runMcp(folder: string, { render, ...options }: McpSettings, version: string): Promise<void> {
  const root = realpathSync(folder);
  const builds = render ? mkdtempSync(join(realpathSync(tmpdir()), "anp-mcp-")) : undefined;
  try {
    await serveAll(root, { ...options, builds }, version);
  } finally {
    if (builds !== undefined) rmSync(builds, { recursive: true, force: true });
  }
}

async function serveAll(root: string, allowed: Allowed, version: string): Promise<void> {
  const closing = new AbortController();
  const ask = oneAtATime(closing.signal);
  const serve = (): McpServer => {
    const mcp = new McpServer({ name: "anp", version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    const { server } = mcp;
    server.setRequestHandler("tools/list", () => ({ tools: TOOLS.map((tool) => listed(tool, allowed)) }));
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
      ask(mcpReq.signal, (signal) => call(params.name, params.arguments ?? {}, root, allowed, signal)),
    );
    return mcp;
  };
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MOST_BYTES });
  for (const event of ["end", "close"] as const) process.stdin.on(event, () => resolve());
  serveStdio(serve, {
    transport,
    onerror: ({ message }) => void process.stderr.write(`anp mcp: ${printable(message)}\n`),
  });
  await closed;
  closing.abort();
}

/** @returns a function that runs its action when earlier ones have ended */
function oneAtATime(closing: AbortSignal) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (signal: AbortSignal, act: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    if (waiting >= MOST_WAITING) return failed([`${MOST_WAITING} questions are waiting already: ask one at a time`]);
    waiting++;
    const mine = last.then(() => act(AbortSignal.any([signal, closing])));
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting--;
    }
  };
}

interface Result {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly [key: string]: unknown;
}

async function call(
  name: string,
  given: Readonly<Record<string, unknown>>,
  root: string,
  allowed: Allowed,
  signal: AbortSignal,
): Promise<Result> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined)
    return failed([`there is no tool ${name}: the tools are ${TOOLS.map((one) => one.name).join(", ")}`]);
  if (given["live"] === true && !allowed.live)
    return failed(["live is not allowed: a person has to start the server with anp mcp --live"]);
  const read = argumentsSchema(fieldsOf(tool, allowed)).safeParse(given);
  if (!read.success) return failed(["the arguments are not valid:", ...read.error.issues.map(issueLine)]);
  const { limit, offset, live, ...values } = read.data as { limit: number; offset: number; live?: boolean };
  try {
    const { words, usesGit } = wordsOf(tool.fields, values, root, live === true || hasOwnPools(tool, values));
    const options = [...fixedOptions(tool, allowed), ...(live === true ? liveOptions(allowed) : [])];
    if (live === true && usesGit) return failed(["live and a commit are two old sides: give one of them"]);
    const refusal = usesGit ? refusalOfCommits(root) : undefined;
    if (refusal !== undefined) return failed([refusal]);
    const asked = { command: name, words: [...options, ...words], usesGit, live: live === true };
    const ended = await askCommand(root, asked, allowed, signal);
    if (typeof ended === "string") return failed([`anp ${name}: ${ended}`]);
    const { structured, lines } = answerOf(tool, ended, { limit, offset });
    if (structured === undefined) return failed(lines);
    const texts = [[NOTE, ...lines].join("\n"), JSON.stringify(structured)];
    return { content: texts.map((text) => ({ type: "text", text })), structuredContent: structured };
  } catch (error) {
    if (error instanceof Refused) return failed([error.message]);
    throw error;
  }
}

function hasOwnPools({ poolsOfDump = false }: Tool, { nodeData }: Readonly<Record<string, unknown>>): boolean {
  return poolsOfDump && nodeData !== undefined;
}

function issueLine({ path, message }: z.core.$ZodIssue): string {
  return `${path.map(String).join(".")}${path.length === 0 ? "" : ": "}${message}`;
}

function failed(lines: readonly string[]): Result {
  const text = [NOTE, ...lines.map(printable)].join("\n");
  return { content: [{ type: "text", text }], isError: true };
}

function fixedOptions({ name }: Tool, { builds }: Allowed): string[] {
  return [
    "--output=json",
    ...(name === "check" ? [] : ["--report=json"]),
    ...(builds === undefined ? ["--no-render"] : []),
  ];
}

function liveOptions({ kubeconfig, context }: Allowed): string[] {
  return [
    "--live",
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ];
}

function fieldsOf({ fields, live }: Tool, allowed: Allowed): Fields {
  return allowed.live ? { ...fields, live: { kind: "flag", description: live } } : fields;
}

function listed(tool: Tool, allowed: Allowed) {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description: `${description} ${NOTE}`,
    inputSchema: schemaOf(argumentsSchema(fieldsOf(tool, allowed)), "input"),
    outputSchema: openSchema(schemaOf(answerSchema(tool), "output")),
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: allowed.live,
    },
  };
}

type ObjectSchema = { type: "object"; [key: string]: unknown };

function schemaOf(schema: z.ZodType, io: "input" | "output"): ObjectSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest as ObjectSchema;
}
