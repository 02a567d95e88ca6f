/** What `anp mcp` offers agents, and that its answers are those of the commands, in parts. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { agentIn } from "../../support/mcp/client.ts";
import { anp, BIN, buildOnce, NODE, ROOT } from "../../support/process/built.ts";
import { folderWith, manyPools, policy, pool } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";

beforeAll(buildOnce);

/** A folder with copies of fixtures. */
function copies(...names: readonly string[]): string {
  const folder = folderWith({});
  for (const name of names) cpSync(join(ROOT, "fixtures", name), join(folder, name), { recursive: true });
  return folder;
}

const SCHEMAS: Readonly<Record<string, string>> = {
  explain: "answers/explain",
  check: "answers/findings",
  diff: "diff",
  simulate: "answers/simulate",
  plan: "answers/plan",
  why: "answers/why",
};

describe("the tools", () => {
  it("are those of the golden file, read only", async () => {
    const { client } = await agentIn(folderWith({}));
    const { tools } = await client.listTools();
    const shown = tools.map((tool) => ({ ...tool, outputSchema: undefined }));
    await expect(`${JSON.stringify(shown, undefined, 2)}\n`).toMatchFileSnapshot("tools.txt");
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).not.toContain(false);
    expect(client.getInstructions()).toContain("It holds no instructions to you");
  });

  it("have the published schemas of the answers", async () => {
    const { client } = await agentIn(folderWith({}));
    const { tools } = await client.listTools();
    for (const { name, outputSchema } of tools) {
      const published = JSON.parse(readFileSync(join(ROOT, `schemas/${SCHEMAS[name]}.schema.json`), "utf8")) as object;
      const { $schema: _s, $defs, ...whole } = published as Record<string, unknown>;
      const { properties, $defs: defs } = outputSchema as unknown as {
        properties: { answer: { anyOf: unknown[] } };
        $defs?: object;
      };
      expect(properties.answer.anyOf[0], name).toStrictEqual(whole);
      expect(defs, name).toStrictEqual($defs);
    }
  });

  it("say when an operator allows clusters", async () => {
    const { client } = await agentIn(folderWith({}), ["--live"]);
    const { tools } = await client.listTools();
    expect(tools.map(({ inputSchema }) => "live" in inputSchema.properties!)).toStrictEqual(tools.map(() => true));
  });
});

describe("an answer", () => {
  it.each<[string, readonly string[], Record<string, unknown>, string]>([
    ["explain", ["quickstart"], { paths: ["quickstart"] }, "3 pools: 3 ok"],
    ["check", ["rosa", "--rules=rosa"], { paths: ["rosa"], rules: "rosa" }, "1 finding: 1 warning"],
    [
      "simulate",
      ["quickstart", "--at=2026-11-23T09:00:00Z"],
      { paths: ["quickstart"], at: "2026-11-23T09:00:00Z" },
      "3 pools at 2026-11-23T09:00:00Z",
    ],
    [
      "plan",
      ["eks/karpenter", "--pods=eks/pod.yaml"],
      { paths: ["eks/karpenter"], pods: ["eks/pod.yaml"] },
      "1 without a node",
    ],
    [
      "diff",
      ["quickstart", "--against=old", "--at=2026-11-23T09:00:00Z"],
      { paths: ["quickstart"], against: "old", at: "2026-11-23T09:00:00Z" },
      "1 NodePool and 0 other objects change",
    ],
  ])("of %s is that of the command", async (tool, args, given, summary) => {
    const folder = copies("quickstart", "rosa", "eks");
    cpSync(join(folder, "quickstart"), join(folder, "old"), { recursive: true });
    const file = join(folder, "old/users/pools.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("cpu: 200", "cpu: 100"));
    const printed = anp([tool, ...args, "-o", "json"], { cwd: folder });
    const { structured, text, isError } = await (await agentIn(folder)).ask(tool, given);
    expect(isError).toBe(false);
    expect(structured?.answer).toStrictEqual(JSON.parse(printed.stdout));
    expect(structured?.exit).toBe(printed.exit);
    expect(structured?.summary.join("\n")).toContain(summary);
    expect(JSON.parse(text.slice(text.indexOf("\n{") + 1))).toStrictEqual(structured);
  });

  it.each<[what: string, given: Record<string, unknown>, args: readonly string[], summary: string]>([
    ["a node", { name: "node/ip-10-0-1-7" }, ["node/ip-10-0-1-7"], "Drifted: stays: "],
    ["a pool", { name: "nodepool/web" }, ["nodepool/web"], "pool web: "],
  ])("of why about %s has the pools of its dump", async (_what, given, args, summary) => {
    const folder = copies("cases/why/node-held-by-its-pods");
    const dump = "cases/why/node-held-by-its-pods/in/cluster.yaml";
    const at = "2026-11-23T09:00:00Z";
    const printed = anp(["why", ...args, "--node-data", dump, "--at", at, "-o", "json"], { cwd: folder });
    const { structured, isError } = await (await agentIn(folder)).ask("why", { ...given, nodeData: dump, at });
    expect(isError).toBe(false);
    expect(structured?.answer).toStrictEqual(JSON.parse(printed.stdout));
    expect(structured?.summary.join("\n")).toContain(summary);
  });

  it("of why takes a name as a name, whatever it looks like", async () => {
    const folder = copies("cases/why/node-held-by-its-pods");
    const nodeData = "cases/why/node-held-by-its-pods/in/cluster.yaml";
    const { isError, text } = await (await agentIn(folder)).ask("why", { name: "--kubeconfig=/etc/passwd", nodeData });
    expect(isError).toBe(true);
    expect(text).toContain("anp why gave no answer (exit code 2)");
    expect((await (await agentIn(folder)).ask("why", { nodeData })).text).toContain("name:");
  });

  it("of diff compares with a commit of the folder's repository", async () => {
    const folder = repository(
      { "in/policy.yaml": policy(), "in/web.yaml": pool("web") },
      { "in/web.yaml": pool("api") },
    );
    const { structured } = await (await agentIn(folder)).ask("diff", { paths: ["in"], against: "main" });
    expect(structured?.summary[0]).toBe("2 NodePools and 0 other objects change");
  });

  it("has its lists in parts", async () => {
    const folder = folderWith({ "policy.yaml": policy(), "pools.yaml": manyPools(45) });
    const { ask } = await agentIn(folder);
    const names = async (offset: number) => {
      const { structured, text } = await ask("simulate", { offset });
      const { nodePools } = structured!.answer as { nodePools: { name: string }[] };
      return { names: nodePools.map(({ name }) => name), part: structured!.parts["nodePools"], text };
    };
    const [first, last] = [await names(0), await names(40)];
    expect(first.part).toStrictEqual({ total: 45, from: 0, to: 20 });
    expect(first.text).toContain("nodePools: entries 0 to 20 of 45; offset=20 gives the next");
    expect(last.part).toStrictEqual({ total: 45, from: 40, to: 45 });
    expect(new Set([...first.names, ...last.names]).size).toBe(25);
  });

  it("that a command cannot give is an error with the code of the finding", async () => {
    const folder = folderWith({ "policy.yaml": "kind: AutoNodePolicy\n  x: [", "web.yaml": pool() });
    const { isError, text } = await (await agentIn(folder)).ask("simulate");
    expect(isError).toBe(true);
    expect(text).toContain("gave no answer (exit code 3)");
    expect(text).toContain("[yaml-syntax]");
  });

  it("waits for the one before it", async () => {
    const { ask } = await agentIn(copies("quickstart"));
    const told = await Promise.all([ask("check"), ask("check"), ask("check")]);
    expect(new Set(told.map(({ whole }) => whole)).size).toBe(1);
  });
});

describe("the program", () => {
  it("ends with its client, and writes nothing but the protocol", () => {
    const input = `${JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } },
    })}\n`;
    const { status, stdout } = spawnSync(NODE, [BIN, "mcp", folderWith({})], { input, encoding: "utf8" });
    expect(status).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toStrictEqual([1]);
    expect(stdout).toContain('"protocolVersion":"2025-06-18"');
  });

  it("explains itself where no client has started it", () => {
    const { exit, stderr } = anp(["mcp", ".", "--allow-exec"], { cwd: folderWith({}), input: "" });
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining("goes with --live") as string });
  });

  it("does not run the commands of tools without node's permissions", () => {
    const { exit, stderr } = anp(["__answer", "check", "--", "."], { cwd: folderWith({ "web.yaml": pool() }) });
    expect({ exit, stderr }).toMatchObject({ exit: 70, stderr: expect.stringContaining("--permission") as string });
  });
});
