/** Tests the diff of guarded objects in Argo CD, with the settings of docs/guard.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Application, compareAsArgo } from "../../support/argocd/compare.ts";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply } from "../../support/controlplane/objects.ts";
import {
  classOf,
  enforce,
  type Entries,
  outcomeOf,
  poolOf,
  startCluster,
} from "../../support/guard/guarded-cluster.ts";

const POLICY: Entries = [
  { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
  { key: "example.com/tier", operator: "In", values: ["gold"] },
];
const size = (value: string): Entries => [{ key: "karpenter.k8s.aws/instance-size", operator: "In", values: [value] }];
const ROOT = { volumeSize: "120Gi", volumeType: "gp3", encrypted: true };
const disk = (deviceName: string, volumeSize: string) => ({ deviceName, ebs: { volumeSize } });

const DOCS = readFileSync(join(import.meta.dirname, "../../../docs/guard.md"), "utf8");
const [, DOCUMENTED] = /```yaml\n(spec:\n {2}ignoreDifferences:[^`]*)```/.exec(DOCS)!;
const IGNORING = parse(DOCUMENTED!) as Application;
const compareOptions = (options: string): Application => ({
  metadata: { annotations: { "argocd.argoproj.io/compare-options": options } },
});

describe("Argo CD and guarded objects", () => {
  let folder: string;
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "anp-guard-argocd-"));
    controlPlane = await startCluster();
    writeFileSync(join(folder, "kubeconfig"), controlPlane.kubeconfig("guest-admin"), { mode: 0o600 });
    await enforce(controlPlane, POLICY, { rootVolume: ROOT });
    const options = { fieldManager: "argocd-controller" };
    for (const object of [POOL, BARE, CLASS, ROOTED])
      expect(outcomeOf(await apply(controlPlane, "guest-admin", object, options))).toBe("stored");
  }, 1_200_000);

  afterAll(async () => {
    await controlPlane?.stop();
    rmSync(folder, { recursive: true });
  });

  const POOL = poolOf("web", size("large"));
  const BARE = poolOf("bare", []);
  const CLASS = classOf("data", [disk("/dev/xvdb", "20Gi")]);
  const ROOTED = classOf("rooted", [disk("/dev/xvda", "20Gi")]);
  const UNCHANGED = [POOL, BARE, CLASS, ROOTED];
  const CHANGED = [
    poolOf("web", size("xlarge")),
    poolOf("bare", size("large")),
    classOf("data", [disk("/dev/xvdb", "30Gi")]),
  ];

  const differs = async (application: Application, object: KubernetesObject): Promise<boolean> =>
    (await compareAsArgo(join(folder, "kubeconfig"), application, object)).modified;
  const all = (application: Application, objects: readonly KubernetesObject[]): Promise<boolean[]> =>
    Promise.all(objects.map((object) => differs(application, object)));

  test("it shows the guard's changes as a difference by default", async () => {
    expect(await all({}, UNCHANGED)).toEqual([true, true, true, true]);
  });

  test("with the documented settings it ignores exactly those", async () => {
    expect(await all(IGNORING, UNCHANGED)).toEqual([false, false, false, false]);
    expect(await all(IGNORING, CHANGED)).toEqual([true, true, true]);
  });

  test.each([["ServerSideDiff=true"], ["ServerSideDiff=true,IncludeMutationWebhook=true"]])(
    "with the compare option %s it uses a dry run, which includes the guard's changes",
    async (options) => {
      expect(await all(compareOptions(options), UNCHANGED)).toEqual([false, false, false, false]);
      expect(await all(compareOptions(options), CHANGED)).toEqual([true, true, true]);
    },
  );
});
