/** Generates random policies and pools, over catalogues with more or less data. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Catalogue } from "../../../src/karpenter/catalogue/catalogue.ts";
import { regionalCatalogue } from "../../../src/karpenter/catalogue/regional-catalogue.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { CATALOGUE, entry } from "../instance-types.ts";
import { ROOT } from "../process/built.ts";

const GROUP = "karpenter.hypershift.openshift.io";

const AWS = join(ROOT, "fixtures/aws");
const answer = (name: string): never => JSON.parse(readFileSync(join(AWS, `${name}.json`), "utf8")) as never;

function regional(zones: boolean): Catalogue {
  const { InstanceTypes: first } = answer("instance-types-1");
  const { InstanceTypes: second } = answer("instance-types-2");
  const { InstanceTypeOfferings: offerings } = answer("offerings");
  const { AvailabilityZones } = answer("zones");
  const answers = {
    instanceTypes: [...(first as never[]), ...(second as never[])],
    offerings,
    zones: zones ? AvailabilityZones : [],
    date: "2026-11-20",
  };
  const made = regionalCatalogue(answers, shippedCatalogue());
  if ("problem" in made) throw new Error(made.problem.message);
  return made.catalogue;
}

/** Half of the labels of half of the types are unknown, like those of newer types. */
function patchy(catalogue: Catalogue): Catalogue {
  const columns = [...catalogue.labels].map(([key, { sets, of }], index) => {
    const keeps = index % 2 === 0 || key === "node.kubernetes.io/instance-type";
    return [key, { sets, of: of.map((at, type) => (keeps || type % 2 === 0 ? at : 0xffff)) }] as const;
  });
  return { ...catalogue, labels: new Map(columns) };
}

export const CATALOGUES: Readonly<Record<string, Catalogue>> = {
  small: CATALOGUE,
  shipped: shippedCatalogue(),
  region: regional(true),
  "region without ids": regional(false),
  patchy: patchy(CATALOGUE),
};

export const RESERVATION = "karpenter.k8s.aws/capacity-reservation-id";

/** By purpose, in the short form of `instance-types.ts`. */
const ENTRIES = {
  common: [
    "arch In amd64",
    "arch In arm64",
    "family In m5,c5",
    "family In m7g",
    "cpu Gte 8",
    "cpu Lt 5",
    "type In m5.xlarge,m5.large",
  ],
  optional: ["gpus Exists", "gpus In 1", "gpus In 4", "gpus NotIn 4", "gpus Gt 1", "gpus DoesNotExist", "gpus In 999"],
  zones: [
    "zone In us-east-1a",
    "zone In us-east-1z",
    "zone In eu-west-1a",
    "zone In eu-west-1a,us-east-1b",
    "zone NotIn us-east-1a",
    "zone Gt 3",
    "zone DoesNotExist",
  ],
  capacity: [
    "capacity In spot",
    "capacity In reserved",
    "capacity In reserved,spot",
    "capacity NotIn spot,on-demand",
    "capacity NotIn spot",
    "capacity Exists",
  ],
  reservation: [`${RESERVATION} In cr-1`, `${RESERVATION} Exists`, `${RESERVATION} DoesNotExist`],
  custom: ["tier In gold", "tier In silver", "tier Exists min 1", "tier NotIn gold"],
  mistakes: [
    "arch In x86_64",
    "family In m99",
    "cpu Gt 100000",
    "cpu Lt 0",
    "type NotIn m5.xlarge",
    "arch DoesNotExist",
  ],
  minValues: [
    "family Exists min 2",
    "family Exists min 5",
    "zone Exists min 2",
    "zone Exists min 9",
    "zone In us-east-1a,us-east-1b min 2",
    "capacity In spot,on-demand min 2",
    "capacity Exists min 3",
    "capacity Exists min 4",
    "capacity In reserved,spot min 2",
    "arch In amd64,arm64 min 2",
    "cpu Gte 4 min 3",
    "gpus Exists min 2",
    `${RESERVATION} Exists min 1`,
    "topology.k8s.aws/zone-id Exists min 2",
    "karpenter.k8s.aws/instance-network-bandwidth Exists min 50",
  ],
} as const;

/** Entries of a policy or a pool, in `instance-types.ts`'s short form. */
export const side: fc.Arbitrary<readonly string[]> = fc.array(
  fc.oneof(...Object.values(ENTRIES).map((texts) => fc.constantFrom(...texts))),
  { maxLength: 4 },
);

export const question = fc.record({
  catalogue: fc.constantFrom(...Object.keys(CATALOGUES)),
  policy: fc.option(side, { nil: undefined }),
  pools: fc.array(
    fc.record({
      user: side,
      labels: fc.dictionary(fc.constantFrom("kubernetes.io/arch", "team"), fc.constantFrom("amd64", "arm64"), {
        maxKeys: 1,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  nodeClass: fc.constantFrom("none", "without reservations", "with reservations", "old, without reservations"),
  profile: fc.constantFrom("hypershift", "karpenter-1.14", "karpenter-1.15"),
  amis: fc.option(fc.constantFrom("amd64", "arm64"), { nil: undefined, freq: 4 }),
});

export type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** The same input as a hosted cluster's manifests. */
export function wrappedManifests({ policy, pools, nodeClass, amis }: Question): object[] {
  return [
    ...(policy === undefined ? [] : [policyManifest(policy)]),
    ...pools.map(({ user, labels }, index) => ({
      apiVersion: `${GROUP}/v1beta1`,
      kind: "OpenshiftNodePool",
      metadata: { name: `pool-${index}` },
      spec: { template: { metadata: { labels }, spec: { requirements: user.map(entry) } } },
    })),
    ...(nodeClass === "none"
      ? []
      : [
          {
            apiVersion: `${GROUP}/${nodeClass.startsWith("old") ? "v1beta1" : "v1"}`,
            kind: "OpenshiftEC2NodeClass",
            metadata: { name: "default" },
            spec:
              nodeClass === "with reservations"
                ? { capacityReservationSelectorTerms: [{ id: "cr-1" }] }
                : { tags: { team: "a" } },
          },
        ]),
    {
      apiVersion: "anp.hypershift.openshift.io/v1alpha1",
      kind: "RenderConfig",
      metadata: { name: "config" },
      spec: {
        hostedCluster: { namespace: "clusters-a", ...(amis === undefined ? {} : { amis: { [amis]: "ami-0a1b2c3d" } }) },
      },
    },
  ];
}

/** The same pools and class without wrappers. */
export function rawManifests({ pools, nodeClass }: Question): object[] {
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const terms = nodeClass === "with reservations" ? { capacityReservationSelectorTerms: [{ id: "cr-1" }] } : {};
  return [
    ...pools.map(({ user, labels }, index) => ({
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: { name: `pool-${index}` },
      spec: { template: { metadata: { labels }, spec: { nodeClassRef, requirements: user.map(entry) } } },
    })),
    ...(nodeClass === "none"
      ? []
      : [
          {
            apiVersion: "karpenter.k8s.aws/v1",
            kind: "EC2NodeClass",
            metadata: { name: "default" },
            spec: {
              amiFamily: "Custom",
              amiSelectorTerms: [{ id: "ami-0a1b2c3d" }],
              instanceProfile: "nodes",
              subnetSelectorTerms: [{ id: "subnet-0a1b2c3d" }],
              securityGroupSelectorTerms: [{ id: "sg-0a1b2c3d" }],
              ...terms,
            },
          },
        ]),
  ];
}

/** HyperShift as it ships: the raw pools, and the wrapper of the class, or else the hosted control plane. */
export function shippedManifests(asked: Question): object[] {
  const isOf = (wanted: string) => (object: object) => (object as { kind: string }).kind === wanted;
  const ofCluster = wrappedManifests(asked).filter(isOf("OpenshiftEC2NodeClass"));
  const metadata = { name: "a", namespace: "clusters-a" };
  const spec = { infraID: "a", platform: { type: "AWS", aws: {} } };
  const controlPlane = { apiVersion: "hypershift.openshift.io/v1beta1", kind: "HostedControlPlane", metadata, spec };
  return [...rawManifests(asked).filter(isOf("NodePool")), ...(ofCluster.length > 0 ? ofCluster : [controlPlane])];
}

export function policyManifest(entries: readonly string[]): object {
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "AutoNodePolicy",
    metadata: { name: "default", namespace: "clusters-a" },
    spec: { nodePoolDefaults: { requirements: entries.map(entry) } },
  };
}
