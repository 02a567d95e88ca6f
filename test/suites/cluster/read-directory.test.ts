/** A directory in the middle of a change is not what it should say: it must have settled first. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { directoryReader } from "../../../src/cluster/read/read-directory.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { policy, pool } from "../../support/watch/inputs.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-files-"));
  mkdirSync(join(folder, "in"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (name: string, object: object) => writeFileSync(join(folder, "in", name), toYaml(object));

test("half of a checkout is never taken for the whole, and what is as it was is read at once", async () => {
  const read = directoryReader({ paths: [join(folder, "in")], policyDir: undefined, config: undefined });
  const options = { allowEmpty: false, settleMs: 1000, signal: new AbortController().signal };
  const kinds = async (over: { settleMs?: number } = {}) =>
    (await read({ ...options, ...over })).value.resources.map(({ kind }) => kind);
  write("policy.yaml", policy([]));
  write("pool.yaml", pool("web"));
  const both = ["AutoNodePolicy", "OpenshiftNodePool"];
  expect(await kinds()).toEqual(both);
  expect(await kinds({ settleMs: 3_600_000 })).toEqual(both);
  rmSync(join(folder, "in", "policy.yaml"));
  setTimeout(() => write("policy.yaml", policy([])), 300);
  expect(await kinds()).toEqual(both);
  rmSync(join(folder, "in", "policy.yaml"));
  expect(await kinds()).toEqual(["OpenshiftNodePool"]);
});

test("one that never comes to rest is an error, and holds everything", async () => {
  const read = directoryReader({ paths: [join(folder, "in")], policyDir: undefined, config: undefined });
  let weight = 0;
  const timer = setInterval(() => write("pool.yaml", pool("web", [], { weight: (weight += 1) })), 1);
  try {
    const { value, findings } = await read({ allowEmpty: false, settleMs: 20, signal: new AbortController().signal });
    expect(value.resources).toEqual([]);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([["file-unreadable", "error"]]);
  } finally {
    clearInterval(timer);
  }
});
