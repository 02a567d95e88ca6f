/** Every independent conflict of a pool is reported, not only the first. */
import { expect, it } from "vitest";
import { folderWith, pool } from "../../support/process/inputs.ts";
import { runAnp } from "../../support/process/run-anp.ts";

const ENTRIES = `
        - {key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ["15"]}
        - {key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["4"]}
        - {key: kubernetes.io/arch, operator: In, values: [sparc]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}`;

it("reports each independent conflict of entries", async () => {
  const cwd = folderWith({ "pool.yaml": pool("web", ENTRIES) });
  const { stdout } = await runAnp(["explain", ".", "-q"], { cwd });
  const lines = stdout.split("\n");
  expect(lines.slice(3, lines.indexOf("", 4))).toStrictEqual([
    "  No instance type satisfies this:",
    "    pool    kubernetes.io/arch In [sparc]         pool.yaml:11",
    "  Nor these together:",
    "    pool    karpenter.k8s.aws/instance-cpu Gt 15  pool.yaml:9",
    "    pool    karpenter.k8s.aws/instance-cpu Lt 4   pool.yaml:10",
  ]);
  const json = JSON.parse((await runAnp(["explain", ".", "-q", "-o", "json"], { cwd })).stdout) as {
    nodePools: { conflict: { key: string }[]; otherConflicts: { key: string; written: string }[][] }[];
  };
  const [{ conflict, otherConflicts } = { conflict: [], otherConflicts: [] }] = json.nodePools;
  expect([conflict.map(({ key }) => key), otherConflicts.map((of) => of.map(({ written }) => written))]).toStrictEqual([
    ["kubernetes.io/arch"],
    [["Gt 15", "Lt 4"]],
  ]);
});
