/** The built program as a KRM function where it meets the system: what it is started on, and as whom. */
import { beforeAll, expect, it } from "vitest";
import { anp, buildOnce, ordinaryUser, shell } from "../../support/process/built.ts";
import { PACKAGE } from "../../support/process/packages.ts";
import { listOf } from "../../support/process/resource-lists.ts";

beforeAll(buildOnce);

const GOOD = listOf(PACKAGE);

it("is a function where a ResourceList comes in", () => {
  const ended = anp([], { input: GOOD });
  expect(ended).toMatchObject({ exit: 0 });
  expect(anp(["fn"], { input: GOOD })).toStrictEqual(ended);
});

it.each([
  ["nothing", "anp < /dev/null"],
  ["a manifest", "echo 'kind: ConfigMap' | anp"],
  ["a folder", "anp < /"],
  ["a closed stream", "anp <&-"],
])("without arguments shows its help where %s comes in", (_what, line) => {
  const { exit, stdout, stderr } = shell(line, "/");
  expect({ exit, stdout }).toStrictEqual({ exit: 2, stdout: "" });
  expect(stderr).toMatch(/^Usage: anp /);
});

it("answers a user without rights, as functions are run", () => {
  const uid = ordinaryUser();
  expect(anp(["fn"], { input: GOOD, cwd: "/", ...(uid === undefined ? {} : { uid }) })).toStrictEqual(
    anp(["fn"], { input: GOOD }),
  );
});
