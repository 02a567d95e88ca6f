/** Kubelet settings that Karpenter's AWS provider panics on, or refuses: those that we name. It takes long to build. */
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { expressions, invalidKubelet, refusedKubelet } from "../../../src/karpenter/node-class/refused-kubelet.ts";
import { fatalValuesOf } from "../../../src/karpenter/node-class/fatal-values.ts";
import { ec2NodeClassSpec } from "../../../src/model/ec2/node-class.ts";
import { isEndlessQuantity } from "../../../src/model/values/quantity.ts";
import { check } from "../../../src/model/schema/validate.ts";
import { kubeletFieldNames } from "../../../src/model/ec2/kubelet-fields.ts";
import { askProgram } from "../../support/go/ask-program.ts";
import { hostileObjects } from "../../support/oracle/hostile-values.ts";
import { seedOf } from "../../support/property/seed.ts";

const SCHEMA = ec2NodeClassSpec("karpenter-1.14");

/** A quantity that it never gets done with would not let it answer; a grace period it cannot even decode. */
const admitted = hostileObjects().filter(
  ({ object, path, value }) =>
    object.kind === "EC2NodeClass" &&
    !path.includes("evictionSoftGracePeriod") &&
    !(typeof value === "string" && isEndlessQuantity(value)) &&
    check(SCHEMA, object.spec).violations.length === 0,
);

describe("the provider's instance types", () => {
  let panics: (string | null)[];

  beforeAll(async () => {
    const replies = await askProgram<{ answer: string | null }>(
      "oracle-provider",
      admitted.map(({ object }) => ({ op: "panic", class: object })),
    );
    panics = replies.map(({ answer }) => answer);
  }, 2_400_000);

  test("cannot be worked out for the values that are named, and for no other", () => {
    const words = ({ path, value }: (typeof admitted)[number]) => `${path.join(".")}: ${JSON.stringify(value)}`;
    const dead = admitted.filter((_one, index) => panics[index] !== null);
    expect(dead.length).toBeGreaterThan(10);
    const named = admitted.filter(({ object }) => fatalValuesOf(object, "karpenter-1.14").length > 0);
    expect(named.map(words)).toStrictEqual(dead.map(words));
  });
});

const signal = fc.constantFrom("memory.available", "nodefs.available", "pid.available", "bogus.signal");
// Go's spellings of a percentage also are NaN, hexadecimal, and digits with underscores.
const TEXTS = ["", "5%", "100%", "100.5%", "-1%", "%", "1e1%", "500Mi", "-1", "-100m", "1e1.5", "30s", "-30s", "0"];
const text = fc.constantFrom(...TEXTS, "1m30s", "1 minute", "vcpus * 10", "110", "static", "-vcpus");
const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.constantFrom(0, 1, 50, 80, 100, 101, -1, 1.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, null),
);
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  {
    weight: 4,
    arbitrary: fc.dictionary(fc.oneof(signal, fc.constantFrom("cpu", "memory", "gpu")), scalar, { maxKeys: 3 }),
  },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  fc.record(
    {
      webhook: fc.record({ enabled: scalar, cacheTTL: scalar, cacheAuthorizedTTL: scalar }, { requiredKeys: [] }),
      anonymous: fc.record({ enabled: scalar }, { requiredKeys: [] }),
      mode: scalar,
      idsPerPod: scalar,
      endpoint: scalar,
      verbosity: scalar,
      flushFrequency: scalar,
      options: fc.record({ text: fc.record({ infoBufferSize: scalar, splitStream: scalar }, { requiredKeys: [] }) }),
      vmodule: fc.array(fc.record({ filePattern: scalar, verbosity: scalar }, { requiredKeys: [] }), { maxLength: 1 }),
    },
    { requiredKeys: [] },
  ),
  fc.array(
    fc.record({ numaNode: scalar, limits: fc.dictionary(fc.constant("memory"), scalar) }, { requiredKeys: [] }),
    {
      maxLength: 1,
    },
  ),
);
const map = (keys: readonly string[], values: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...keys), values, { maxKeys: 2 });
const signals = ["memory.available", "nodefs.available"];
const threshold = fc.constantFrom("5%", "500Mi", "10%");

/** Mostly valid, so that one mistake decides. */
const likely = fc.record(
  {
    maxPods: fc.constantFrom(110, 0, "110", "vcpus * 10", -1, null),
    podsPerCore: fc.constantFrom(4, 0, null, -1),
    clusterDNS: fc.constantFrom([], ["10.0.0.1"], ["10.0.0.1", "10.0.0.2"], null),
    kubeReserved: map(["cpu", "memory", "ephemeral-storage"], fc.constantFrom("100m", "1Gi", "vcpus * 10", "-1")),
    systemReserved: map(["cpu", "pid"], fc.constantFrom("100m", "1000")),
    evictionHard: map(signals, threshold),
    evictionSoft: map(signals, threshold),
    evictionSoftGracePeriod: map(signals, fc.constantFrom("1m", "90s")),
    evictionMinimumReclaim: map(signals, threshold),
    evictionMaxPodGracePeriod: fc.constantFrom(0, 60, -1),
    imageGCHighThresholdPercent: fc.constantFrom(80, 50, null),
    imageGCLowThresholdPercent: fc.constantFrom(70, 50, null),
    serializeImagePulls: fc.boolean(),
    shutdownGracePeriod: fc.constantFrom("30s", null),
  },
  { requiredKeys: [] },
);
const NAMES = [...kubeletFieldNames(), "apiVersion", "kind", "MaxPods", "podPerCore", "__proto__", ""];
const any = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 2 });
const kubelets = fc.oneof(
  likely,
  any,
  fc.tuple(likely, any).map(([one, other]) => ({ ...one, ...other })),
);
const families = fc.constantFrom("AL2", "AL2023", "Bottlerocket", "Custom", "Windows2022");

test("Karpenter 1.15 refuses the kubelet settings that we refuse, for the same reason", async () => {
  const sample = { numRuns: 20_000, seed: seedOf("kubelet settings", 20_261_126) };
  const classes = fc.sample(fc.tuple(families, kubelets), sample).map(([amiFamily, kubelet]) => ({
    spec: { amiFamily, kubelet: structuredClone(kubelet) },
  }));
  const replies = await askProgram<{ answer: [reason: string, message: string] | null }>(
    "oracle-provider-1.15",
    classes.map((one) => ({ op: "validate", class: one })),
  );
  const reasons = new Map<string, number>();
  const apart = classes.flatMap((one, index) => {
    const [reason = "none", message = ""] = replies[index]!.answer ?? [];
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const invalid = invalidKubelet(one.spec.kubelet);
    // Go ends at the first value of a wrong type.
    const named = /cannot unmarshal|time: |quantities must match|unable to parse/.test(message)
      ? []
      : invalid.map(({ path }) => String(path[2]));
    const ours = reasonOf(one, invalid.length > 0);
    return ours === reason && named.every((field) => message.includes(field))
      ? []
      : [{ ours, reason, message, one, invalid }];
  });
  console.log(`kubelet settings: ${JSON.stringify(Object.fromEntries(reasons))}, ${apart.length} apart`);
  expect(apart.slice(0, 3)).toStrictEqual([]);
  expect(Math.min(...reasons.values())).toBeGreaterThan(200);
}, 2_400_000);

function reasonOf(
  nodeClass: { readonly spec: { readonly kubelet: Record<string, unknown> } },
  invalid: boolean,
): string {
  if (invalid) return "InvalidKubeletConfiguration";
  if (expressions(nodeClass.spec.kubelet).length > 0) return "KubeletExpressionsDisabled";
  return refusedKubelet(nodeClass, { profile: "karpenter-1.15" }).length > 0
    ? "UnsupportedKubeletConfiguration"
    : "none";
}

test("another CA bundle of the API server changes the hash of every class", async () => {
  const classes = fc.sample(kubelets, { numRuns: 200, seed: 20_261_126 });
  const asked = ["a", "b"].flatMap((caBundle) =>
    classes.map((kubelet) => ({ op: "hash", class: { spec: { amiFamily: "AL2023", kubelet } }, caBundle })),
  );
  const hashes = (await askProgram<{ answer: string }>("oracle-provider-1.15", asked)).map(({ answer }) => answer);
  const [old, now] = [hashes.slice(0, 200), hashes.slice(200)];
  expect(old.filter((hash, index) => hash === now[index])).toStrictEqual([]);
}, 2_400_000);
