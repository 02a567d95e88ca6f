/** Compares our normalized forms with Karpenter's drift hashes, on random pairs of pools and node classes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodeClassHashForm, templateHashForm } from "../../../src/karpenter/drift/change-hash-form.ts";
import { canonical } from "../../../src/krm/values/canonical.ts";
import { seedOf } from "../../support/property/seed.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import type { KarpenterVersion } from "../../support/go/programs.ts";

const PAIRS = 10_000;

const record = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const few = (one: fc.Arbitrary<unknown>) => fc.array(one, { maxLength: 2 });

const texts = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("", "x", "y"), { maxKeys: 2 });
const duration = fc.constantFrom("1h", "60m", "3600s", "24h", "0s", "1h0m0s");
const number = fc.constantFrom(0, 1, 100);
const taint = fc.record(
  {
    key: fc.constantFrom("a", "b"),
    value: fc.constantFrom("", "x"),
    effect: fc.constantFrom("NoSchedule", "NoExecute"),
  },
  { requiredKeys: ["key", "effect"] },
);
const requirement = fc.record({ key: fc.constantFrom("a", "b"), operator: fc.constant("Exists") });

const template = fc.record(
  {
    metadata: record({ labels: texts, annotations: texts }),
    spec: fc.record(
      {
        taints: few(taint),
        startupTaints: few(taint),
        requirements: few(requirement),
        nodeClassRef: fc.record({
          group: fc.constant("karpenter.k8s.aws"),
          kind: fc.constant("EC2NodeClass"),
          name: fc.constantFrom("a", "b"),
        }),
        terminationGracePeriod: duration,
        expireAfter: fc.oneof(duration, fc.constantFrom("Never", "720h")),
      },
      { requiredKeys: ["requirements", "nodeClassRef"] },
    ),
  },
  { requiredKeys: ["spec"] },
);

const device = record({
  deviceName: fc.constantFrom("/dev/xvda", "/dev/xvdb"),
  rootVolume: fc.boolean(),
  ebs: record({
    volumeSize: fc.constantFrom("1024Gi", "1Ti", "75Gi"),
    volumeType: fc.constantFrom("gp3", "io2"),
    encrypted: fc.boolean(),
    deleteOnTermination: fc.boolean(),
    iops: number,
    kmsKeyID: fc.constantFrom("", "k"),
  }),
});

const nodeClass = record({
  subnetSelectorTerms: few(fc.record({ id: fc.constantFrom("subnet-1", "subnet-2") })),
  securityGroupSelectorTerms: few(fc.record({ id: fc.constantFrom("sg-1", "sg-2") })),
  capacityReservationSelectorTerms: few(fc.record({ id: fc.constantFrom("cr-1", "cr-2") })),
  amiSelectorTerms: few(fc.record({ id: fc.constantFrom("ami-1", "ami-2") })),
  ipPrefixCount: number,
  associatePublicIPAddress: fc.boolean(),
  detailedMonitoring: fc.boolean(),
  amiFamily: fc.constantFrom("Custom", "AL2023"),
  role: fc.constantFrom("", "r"),
  instanceProfile: fc.constantFrom("p", "q"),
  tags: texts,
  blockDeviceMappings: few(device),
  instanceStorePolicy: fc.constant("RAID0"),
  context: fc.constantFrom("", "c"),
  userData: fc.constantFrom("", "a", "b"),
  metadataOptions: record({
    httpEndpoint: fc.constantFrom("enabled", "disabled"),
    httpPutResponseHopLimit: fc.constantFrom(1, 2),
    httpTokens: fc.constantFrom("required", "optional"),
  }),
  kubelet: record({
    maxPods: number,
    clusterDNS: few(fc.constantFrom("10.0.0.1", "10.0.0.2")),
    systemReserved: texts,
    evictionSoftGracePeriod: fc.dictionary(fc.constant("memory.available"), duration),
    cpuCFSQuota: fc.boolean(),
  }),
  networkInterfaces: few(
    fc.record({
      networkCardIndex: fc.constantFrom(0, 1),
      deviceIndex: fc.constant(0),
      interfaceType: fc.constant("interface"),
    }),
  ),
});

/** Two objects that differ in at most one field, or two independent ones. */
function pairOf<T>(one: fc.Arbitrary<T>): fc.Arbitrary<[T, T]> {
  const mixed = fc.tuple(one, one, fc.nat()).map(([a, b, at]): [T, T] => {
    const paths = [...pathsOf(a), ...pathsOf(b)];
    const path = paths[at % Math.max(1, paths.length)];
    return path === undefined ? [a, structuredClone(a)] : [a, withPartOf(a, b, path) as T];
  });
  return fc.oneof({ weight: 4, arbitrary: mixed }, { weight: 1, arbitrary: fc.tuple(one, one) });
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => [[...path, key], ...pathsOf(part, [...path, key])]);
}

function withPartOf(a: unknown, b: unknown, [first = "", ...rest]: readonly string[]): unknown {
  if (!isFields(a) || !isFields(b)) return b;
  const { [first]: _old, ...others } = a;
  const part = rest.length === 0 ? b[first] : withPartOf(a[first], b[first], rest);
  return part === undefined ? others : { ...others, [first]: part };
}

/** As the API server stores it: with the CRD's defaults. */
function storedTemplate(given: unknown): unknown {
  const { spec, ...rest } = given as { spec: Fields };
  return { ...rest, spec: { expireAfter: "720h", ...spec } };
}

function storedClass(given: unknown): unknown {
  const { metadataOptions, ...rest } = given as Fields;
  const defaults = {
    httpEndpoint: "enabled",
    httpProtocolIPv6: "disabled",
    httpPutResponseHopLimit: 1,
    httpTokens: "required",
  };
  return { ...rest, metadataOptions: { ...defaults, ...(metadataOptions as Fields | undefined) } };
}

const SIDES = {
  template: { pairs: pairOf<unknown>(template), stored: storedTemplate, form: templateHashForm },
  class: {
    pairs: pairOf<unknown>(nodeClass),
    stored: storedClass,
    form: (spec: unknown, version: KarpenterVersion) => nodeClassHashForm(spec, `karpenter-${version}`),
  },
} as const;

describe("a hash of Karpenter's", () => {
  test.each([
    ["template", "1.14"],
    ["template", "1.15"],
    ["class", "1.14"],
    ["class", "1.15"],
  ] as const)(
    "of a %s differs exactly if our form differs, in Karpenter %s",
    async (side, version) => {
      const { pairs, stored, form } = SIDES[side];
      const samples = fc.sample(pairs, { numRuns: PAIRS, seed: seedOf(`hash of a ${side}`, 20_261_121) });
      // The API server sorts keys.
      const questions = samples
        .flat()
        .map((one) => ({ op: "hash", [side]: JSON.parse(canonical(stored(one))) as unknown }));
      const replies = await askOracle(questions, version);
      const wrong: unknown[] = [];
      let equal = 0;
      for (const [index, [a, b]] of samples.entries()) {
        const same = replies[2 * index]!.answer === replies[2 * index + 1]!.answer;
        expect(typeof replies[2 * index]!.answer).toBe("string");
        equal += Number(same);
        if (same !== (canonical(form(a, version)) === canonical(form(b, version)))) wrong.push({ same, a, b });
      }
      console.log(`hash of a ${side} in ${version}: ${PAIRS} pairs, ${equal} equal`);
      expect(wrong.slice(0, 2)).toStrictEqual([]);
      expect(equal).toBeGreaterThan(PAIRS / 10);
      expect(PAIRS - equal).toBeGreaterThan(PAIRS / 10);
    },
    900_000,
  );
});
