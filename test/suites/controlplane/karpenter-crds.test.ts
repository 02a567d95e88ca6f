/** The API server accepts the CRDs of every profile, and they validate as those of the profile's Karpenter. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ControlPlane, startControlPlane } from "../../support/controlplane/control-plane.ts";
import {
  KARPENTER_CRD_NAMES,
  type KarpenterProfile,
  karpenterCrds,
} from "../../support/controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, remove, waitEstablished, waitGone } from "../../support/controlplane/objects.ts";

// Go is needed for its module cache, whichever programs are used.
describe("Karpenter's CRDs", () => {
  let controlPlane: ControlPlane;

  beforeAll(async () => {
    controlPlane = await startControlPlane();
  });

  afterAll(async () => {
    await controlPlane?.stop();
  });

  const profiles: KarpenterProfile[] = ["hypershift", "karpenter-1.14", "karpenter-1.15"];

  test.each(profiles)("profile %s is established and validates as its Karpenter's CRDs", async (profile) => {
    const crds = await karpenterCrds(profile);
    for (const crd of crds) expect((await create(controlPlane, "system:admin", crd)).status).toBe(201);
    await waitEstablished(controlPlane, KARPENTER_CRD_NAMES);

    const accepts = async (object: KubernetesObject): Promise<string> => {
      // A create would wait: the API server delays the first ones of a new CRD for two seconds.
      const { status, body } = await apply(controlPlane, "system:admin", object, { dryRun: true });
      return status === 201 ? "accepted" : (body.message ?? "");
    };
    const restricted = 'label domain "karpenter.k8s.aws" is restricted';
    expect(await accepts(nodePool({ requirements: [exists("karpenter.k8s.aws/instance-cpu")] }))).toBe("accepted");
    expect(await accepts(nodePool({ requirements: [exists("karpenter.k8s.aws/unknown")] }))).toContain(restricted);
    expect(await accepts(nodePool({ labels: { "karpenter.k8s.aws/unknown": "x" } }))).toContain(restricted);

    const balanced = nodePool({ disruption: { consolidateAfter: "0s", consolidationPolicy: "Balanced" } });
    const unhealthy = nodePool({
      disruption: { consolidateAfter: "0s", budgets: [{ nodes: "1", reasons: ["Unhealthy"] }] },
    });
    const noDelay = nodePool({ disruption: { consolidationPolicy: "WhenEmpty" } });
    const verdicts = [balanced, unhealthy, noDelay].map(async (object) => (await accepts(object)) === "accepted");
    expect(await Promise.all(verdicts)).toEqual(
      {
        hypershift: [false, false, false],
        "karpenter-1.14": [true, false, false],
        "karpenter-1.15": [true, true, true],
      }[profile],
    );

    const ours = ec2NodeClass({ amiFamily: "Custom", amiSelectorTerms: [{ id: "ami-1" }] });
    const theirs = ec2NodeClass({ role: "nodes", amiSelectorTerms: [{ alias: "al2023@latest" }] });
    const classes = [ours, theirs].map(async (object) => (await accepts(object)) === "accepted");
    expect(await Promise.all(classes)).toEqual(profile === "hypershift" ? [true, false] : [false, true]);

    for (const crd of crds) {
      expect((await remove(controlPlane, "system:admin", crd)).status).toBe(200);
      await waitGone(controlPlane, crd);
    }
  });
});

interface Pool {
  requirements?: object[];
  labels?: Record<string, string>;
  disruption?: object;
}

function nodePool({ requirements = [], labels = {}, disruption }: Pool): KubernetesObject {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const template = { metadata: { labels }, spec: { requirements, nodeClassRef } };
  const spec = { template, ...(disruption && { disruption }) };
  return { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "test" }, spec };
}

function exists(key: string): object {
  return { key, operator: "Exists" };
}

function ec2NodeClass(spec: Record<string, unknown>): KubernetesObject {
  const terms = {
    subnetSelectorTerms: [{ id: "subnet-1" }],
    securityGroupSelectorTerms: [{ id: "sg-1" }],
  };
  return {
    apiVersion: "karpenter.k8s.aws/v1",
    kind: "EC2NodeClass",
    metadata: { name: "test" },
    spec: { ...terms, ...spec },
  };
}
