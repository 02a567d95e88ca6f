/** Answers of tools: bounded, cut by limit and offset, and marked as data. */
import { describe, expect, it } from "vitest";
import { answerOf } from "./answer.ts";
import { TOOLS } from "./tools.ts";

const explain = TOOLS.find(({ name }) => name === "explain")!;
const poolOf = (name: string, characters: number) => ({ name, verdict: "ok", types: [..."x".repeat(characters / 4)] });

function answer(nodePools: readonly object[], limit = 20, offset = 0) {
  const ended = { exit: 0, output: JSON.stringify({ nodePools, catalogue: {} }), errors: "" };
  const { structured, lines } = answerOf(explain, ended, { limit, offset });
  const { nodePools: shown } = (structured?.["answer"] ?? {}) as { nodePools?: { name: string }[] };
  return { parts: structured?.["parts"], shown: shown?.map(({ name }) => name), lines };
}

const POOLS = Array.from({ length: 10 }, (_, at) => poolOf(`p${at}`, 8000));

describe("an answer", () => {
  it("has as many entries as fit", () => {
    expect(answer(POOLS)).toMatchObject({
      parts: { nodePools: { total: 10, from: 0, to: 5 } },
      shown: ["p0", "p1", "p2", "p3", "p4"],
    });
    expect(answer(POOLS).lines).toContain("nodePools: entries 0 to 5 of 10; offset=5 gives the next");
  });

  it("goes on from an entry, and ends behind the last", () => {
    expect(answer(POOLS, 4, 8)).toMatchObject({
      parts: { nodePools: { total: 10, from: 8, to: 10 } },
      shown: ["p8", "p9"],
    });
    expect(answer(POOLS, 4, 50)).toMatchObject({ parts: { nodePools: { total: 10, from: 10, to: 10 } }, shown: [] });
  });

  it("is summed up alone if one entry is too large", () => {
    const { shown, lines } = answer([poolOf("large", 400_000)]);
    expect({ shown, lines }).toStrictEqual({ shown: undefined, lines: ["1 pool: 1 ok", "large: ok"] });
  });

  it("replaces what hides text or controls a terminal, and cuts endless texts", () => {
    const { shown } = answer([poolOf("a\u001b[2J\u202eb", 4), poolOf("x".repeat(5000), 4)]);
    expect(shown).toStrictEqual(["a\ufffd[2J\ufffdb", `${"x".repeat(2000)}…`]);
  });

  it("is none if the command printed none: the lines say why", () => {
    const errors = `note: a\n{\n  "findings": [\n    {"code": "yaml-syntax", "severity": "error", "message": "m", "file": "a.yaml"}\n  ]\n}\nb\u001b\n`;
    expect(answerOf(explain, { exit: 3, output: "", errors }, { limit: 1, offset: 0 })).toStrictEqual({
      structured: undefined,
      lines: ["anp explain gave no answer (exit code 3):", "a.yaml: error: m [yaml-syntax]", "note: a", "b\ufffd"],
    });
  });
});
