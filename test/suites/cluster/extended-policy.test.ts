/** A watch whose policy a RenderConfig extends: it is applied, and a missing one holds what is applied. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeFleet, NODE_POOLS } from "../../support/cluster/fake-hosted-cluster.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";

const base = (values: string): string => policy("x", values).replace(", namespace: x", "");
const CONFIG = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: shop}
spec:
  extends: base.yaml
  hostedCluster: {namespace: clusters-shop}
`;

const folder = () =>
  folderWith({ "rules/base.yaml": base("[amd64]"), "rules/shop.yaml": CONFIG, "users/web.yaml": pool() });

interface Pass {
  readonly result: unknown;
  readonly reason: string | undefined;
  readonly architectures: readonly string[];
}

async function passes(cwd: string, over: object, ...changes: (() => void)[]): Promise<Pass[]> {
  const source = { paths: [join(cwd, "users")], policyDir: join(cwd, "rules"), config: undefined };
  const fleet = await fakeFleet(["shop"], { source, ...over });
  const found: Pass[] = [];
  try {
    for (const change of [() => undefined, ...changes]) {
      change();
      const lines: string[] = [];
      const { result } = await runInProcess(fleet.specs, { once: true, write: (line) => lines.push(line) }).ended;
      const pools = JSON.stringify(fleet.guest("shop").objects(NODE_POOLS));
      found.push({
        result,
        reason: /"reason":"(Policy\w+)"/.exec(lines.join(""))?.[1],
        architectures: ["amd64", "arm64"].filter((one) => pools.includes(one)),
      });
    }
  } finally {
    fleet.close();
  }
  return found;
}

test("without a management cluster it is that of the files, and a missing one holds all", async () => {
  const cwd = folder();
  const found = await passes(
    cwd,
    { management: undefined },
    () => addFiles(cwd, { "rules/base.yaml": base("[arm64]") }),
    () => rmSync(join(cwd, "rules/base.yaml")),
    () => addFiles(cwd, { "rules/shop.yaml": CONFIG.replace("base.yaml", "null"), "rules/base.yaml": base("[amd64]") }),
  );
  expect(found.map(({ result, reason, architectures }) => [result, reason, ...architectures])).toStrictEqual([
    ["ok", undefined, "amd64"],
    ["ok", undefined, "arm64"],
    ["held", "PolicyInvalid", "arm64"],
    ["held", "PolicyInvalid", "arm64"],
  ]);
});

test("a policy of the management cluster beside it must be the same", async () => {
  const cwd = folder();
  // The fake management cluster has a policy without requirements.
  const found = await passes(cwd, {}, () =>
    addFiles(cwd, { "rules/base.yaml": base("[]").replace(/spec:.*/, "spec: {nodePoolDefaults: {requirements: []}}") }),
  );
  expect(found.map(({ result }) => result)).toStrictEqual(["held", "ok"]);
});
