/** A watch whose rules a `*` finds: a folder that names another's hosted cluster holds what is applied there. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeFleet, NODE_POOLS } from "../../support/cluster/fake-hosted-cluster.ts";
import { addFiles, folderWith, policy, pool } from "../../support/process/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";

const OF_SHOP = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: evil}
spec: {hostedCluster: {namespace: clusters-shop}, admission: {mode: None, nodeClaims: None}}
`;

test("nothing is changed in the hosted cluster that two folders name", async () => {
  const cwd = folderWith({
    "clusters/shop/policy/policy.yaml": policy(),
    "clusters/shop/pools/web.yaml": pool(),
  });
  const source = { paths: [join(cwd, "clusters")], policyDir: join(cwd, "clusters/*/policy"), config: undefined };
  const fleet = await fakeFleet(["shop"], { source, management: undefined });
  const requests = () => fleet.guest("shop").asked.filter(({ method }) => method === "PATCH").length;
  try {
    const before = await runInProcess(fleet.specs, { once: true }).ended;
    expect([before.result, fleet.guest("shop").objects(NODE_POOLS).length]).toEqual(["ok", 1]);
    const written = requests();
    addFiles(cwd, { "clusters/evil/policy/config.yaml": OF_SHOP, "clusters/shop/pools/db.yaml": pool("db") });
    const lines: string[] = [];
    const after = await runInProcess(fleet.specs, { once: true, write: (line) => lines.push(line) }).ended;
    expect([after.result, requests() - written]).toEqual(["held", 0]);
    expect(lines.join("").match(/"code":"untrusted-policy"/g)).toHaveLength(2);
  } finally {
    fleet.close();
  }
});
