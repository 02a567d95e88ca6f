/** Tests kubectl on guarded NodePools: changes, diffs and messages. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { get } from "../../support/controlplane/objects.ts";
import {
  END,
  enforce,
  type Entries,
  poolOf,
  requirementsOf,
  startCluster,
} from "../../support/guard/guarded-cluster.ts";
import { type Kubectl, kubectlOf } from "../../support/kubectl/run-kubectl.ts";

const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
  { key: "example.com/tier", operator: "In", values: ["gold", "silver"] },
];
const OWN: Entries = [{ key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["large"] }];
const CHANGED: Entries = [{ key: "karpenter.k8s.aws/instance-size", operator: "In", values: ["xlarge"] }];
const FRONT: Entries = [...POLICY, END];
const POOL = poolOf("web", OWN);

describe("kubectl under a guard", () => {
  let folder: string;
  let controlPlane: ControlPlane;
  let kubectl: Kubectl;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-guard-kubectl-"));
    controlPlane = await startCluster();
    await enforce(controlPlane, POLICY);
    kubectl = await kubectlOf(controlPlane, "guest-admin", folder);
  }, 1_200_000);

  afterAll(async () => {
    await controlPlane?.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => {
    kubectl(["delete", "nodepool", "web", "--ignore-not-found"]);
  });

  const list = async (): Promise<Entries> => requirementsOf((await get(controlPlane, "system:admin", POOL)).body);
  const version = async (): Promise<unknown> =>
    (await get(controlPlane, "system:admin", POOL)).body.metadata?.["resourceVersion"];

  test("apply, repeated, writes once, and has no diff", async () => {
    expect(kubectl(["apply", "-f", "-"], POOL)).toEqual({
      exit: 0,
      stdout: "nodepool.karpenter.sh/web created\n",
      stderr: "",
    });
    expect(await list()).toEqual([...FRONT, ...OWN]);
    const before = await version();
    for (let times = 0; times < 2; times += 1)
      expect(kubectl(["apply", "-f", "-"], POOL)).toMatchObject({ exit: 0, stderr: "" });
    expect(await version()).toBe(before);
    expect(kubectl(["diff", "-f", "-"], POOL)).toEqual({ exit: 0, stdout: "", stderr: "" });
  });

  test("diff shows the author's change alone, and apply makes it", async () => {
    kubectl(["apply", "-f", "-"], POOL);
    const compared = kubectl(["diff", "-f", "-"], poolOf("web", CHANGED));
    expect(compared).toMatchObject({ exit: 1, stderr: "" });
    const lines = compared.stdout.split("\n").filter((line) => /^[-+] /.test(line) && !line.includes("generation:"));
    expect(lines).toEqual(["-        - large", "+        - xlarge"]);
    kubectl(["apply", "-f", "-"], poolOf("web", CHANGED));
    expect(await list()).toEqual([...FRONT, ...CHANGED]);
  });

  test("server-side apply by two managers reports the conflict on the list to the second", async () => {
    const apply = (manager: string, ...more: string[]) =>
      kubectl(["apply", "--server-side", "--field-manager", manager, ...more, "-f", "-"], POOL);
    expect(apply("git")).toMatchObject({ exit: 0, stdout: "nodepool.karpenter.sh/web serverside-applied\n" });
    const before = await version();
    expect(apply("git").exit).toBe(0);
    expect(await version()).toBe(before);
    expect(kubectl(["diff", "--server-side", "--field-manager", "git", "-f", "-"], POOL)).toEqual({
      exit: 0,
      stdout: "",
      stderr: "",
    });
    const second = apply("other");
    expect(second.exit).toBe(1);
    expect(second.stderr).toContain('conflict with "git"');
    expect(second.stderr).toContain(".spec.template.spec.requirements");
    expect(apply("other", "--force-conflicts").exit).toBe(0);
    expect(await list()).toEqual([...FRONT, ...OWN]);
  });

  test("edit changes entries below the mark; above it, the editor opens again with the reason", async () => {
    kubectl(["apply", "-f", "-"], POOL);
    const edit = (script: string) => kubectl(["edit", "nodepool", "web"], "", { KUBE_EDITOR: `sed -i ${script}` });
    expect(edit("s/large/xlarge/")).toMatchObject({ exit: 0, stdout: "nodepool.karpenter.sh/web edited\n" });
    expect(await list()).toEqual([...FRONT, ...CHANGED]);
    const above = edit("s/amd64/arm64/");
    expect(above.exit).toBe(1);
    const [, copy] = /stored to "([^"]+)"/.exec(above.stderr)!;
    expect(readFileSync(copy!, "utf8")).toMatch(/^# .*what stands above the entry/m);
    expect(await list()).toEqual([...FRONT, ...CHANGED]);
  });

  test("patch, replace and forced replace keep the policy's entries", async () => {
    kubectl(["create", "-f", "-"], POOL);
    const change = (requirements: unknown) => JSON.stringify({ spec: { template: { spec: { requirements } } } });
    expect(kubectl(["patch", "nodepool", "web", "--type", "merge", "-p", change(CHANGED)]).exit).toBe(0);
    expect(await list()).toEqual([...FRONT, ...CHANGED]);
    const json = [{ op: "remove", path: "/spec/template/spec/requirements/0" }];
    const first = kubectl(["patch", "nodepool", "web", "--type", "json", "-p", JSON.stringify(json)]);
    expect(first.exit).toBe(1);
    expect(first.stderr).toContain("what stands above the entry");
    expect(kubectl(["replace", "-f", "-"], POOL).exit).toBe(0);
    expect(await list()).toEqual([...FRONT, ...OWN]);
    expect(kubectl(["replace", "--force", "-f", "-"], poolOf("web", CHANGED)).exit).toBe(0);
    expect(await list()).toEqual([...FRONT, ...CHANGED]);
  });

  test("exported manifests can be applied and created again without a change", async () => {
    kubectl(["apply", "-f", "-"], POOL);
    const exported = kubectl(["get", "nodepool", "web", "-o", "yaml"]).stdout;
    const clean = exported.replace(/^  (uid|resourceVersion): .*\n/gm, "");
    // The first apply records that the whole list was applied.
    kubectl(["apply", "-f", "-"], clean);
    const before = await version();
    expect(kubectl(["apply", "-f", "-"], clean).exit).toBe(0);
    expect(await version()).toBe(before);
    expect(await list()).toEqual([...FRONT, ...OWN]);
    kubectl(["delete", "nodepool", "web"]);
    expect(kubectl(["create", "-f", "-"], clean)).toMatchObject({ exit: 0, stderr: "" });
    expect(await list()).toEqual([...FRONT, ...OWN]);
  });

  test("a bypass of the policy is refused with the reason, also by diff", () => {
    const escape = poolOf("web", [{ key: "example.com/tier", operator: "In", values: ["bronze"] }]);
    for (const args of [["apply"], ["create"], ["diff"], ["apply", "--server-side"]]) {
      const { exit, stderr } = kubectl([...args, "-f", "-"], escape);
      expect(exit, args.join(" ")).toBeGreaterThan(0);
      expect(stderr).toContain("would admit nodes that the policy does not; ask for what it allows");
    }
  });
});
