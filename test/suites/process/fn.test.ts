/** The built program as a KRM function in the system: how it is started, and as which user. */
import { beforeAll, expect, it } from "vitest";
import { anp, buildOnce, ordinaryUser, shell } from "../../support/process/built.ts";
import { PACKAGE } from "../../support/process/packages.ts";
import { listOf } from "../../support/process/resource-lists.ts";

beforeAll(buildOnce);

const GOOD = listOf(PACKAGE);

it("is a function if its input is a ResourceList", () => {
  const ended = anp([], { input: GOOD });
  expect(ended).toMatchObject({ exit: 0 });
  expect(anp(["fn"], { input: GOOD })).toStrictEqual(ended);
});

it.each([
  ["nothing", "anp < /dev/null"],
  ["a manifest", "echo 'kind: ConfigMap' | anp"],
  ["a folder", "anp < /"],
  ["a closed stream", "anp <&-"],
])("without arguments shows its help if its input is %s", (_what, line) => {
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
