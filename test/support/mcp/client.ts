/** An agent's client: the SDK's own, with the built `anp mcp` as its server. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { BIN, NODE } from "../process/built.ts";

export interface Agent {
  readonly client: Client;
  /** What the server writes for people. */
  readonly errors: () => string;
  readonly ask: (tool: string, given?: Record<string, unknown>) => Promise<Told>;
}

interface Told {
  readonly isError: boolean;
  /** All text. */
  readonly text: string;
  readonly structured: Structured | undefined;
  /** Everything, as the client got it. */
  readonly whole: string;
}

interface Structured {
  readonly note: string;
  readonly exit: number;
  readonly summary: readonly string[];
  readonly parts: Readonly<Record<string, { readonly total: number; readonly from: number; readonly to: number }>>;
  readonly findings: { readonly total: number; readonly shown: readonly { readonly code: string }[] };
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** Ended after the test. @param args after the folder */
export async function agentIn(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: NODE,
    args: [BIN, "mcp", folder, ...args],
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: "pipe",
  });
  const errors: string[] = [];
  transport.stderr?.on("data", (text: Buffer) => errors.push(text.toString()));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    errors: () => errors.join(""),
    ask: async (name, given = {}) => {
      const result = await client.callTool({ name, arguments: given }, { timeout: 240_000 });
      const content = result.content as readonly { readonly text: string }[];
      return {
        isError: result.isError === true,
        text: content.map(({ text }) => text).join("\n"),
        structured: result.structuredContent as Structured | undefined,
        whole: JSON.stringify(result),
      };
    },
  };
}
