/** Where our models and the API server differ on purpose: the row, both verdicts and the reason, in one table. */
import type { Profile } from "../../../../src/model/crds/profile.ts";
import { no, ok, type Verdict } from "./table.ts";

export interface Difference {
  readonly reason: string;
  readonly model: Verdict;
  readonly server: Verdict;
  /** All profiles when left out. */
  readonly profiles?: readonly Profile[];
  /** Names of cases, each without the field in front of it. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
}

/** Of our own CRDs. */
export const OF_WRAPPERS: readonly Difference[] = [
  {
    reason: "JavaScript does not distinguish 1.0 from 1; kubectl and GitOps tools read YAML and send 1",
    model: ok,
    server: no,
    rows: {
      "spec.nodePoolDefaults.requirements": ["entry: minValues 1.0"],
      "spec.template.spec.requirements": ["entry: minValues 1.0"],
    },
  },
  {
    reason: "JavaScript would round the number, so it is refused; nothing comes near it",
    model: no,
    server: ok,
    rows: {
      "spec.blockDeviceMappings": ["ebs: iops: a number beyond 2^53", "ebs: throughput: a number beyond 2^53"],
      "spec.limits": ["a number beyond 2^53"],
    },
  },
  {
    reason: "Go, and so CEL, reads more spellings of a number than users write in a threshold",
    model: no,
    server: ok,
    rows: {
      "spec.kubelet": [
        "a soft percentage of infinity",
        "a soft percentage in hexadecimal",
        "a soft percentage with an underscore",
      ],
    },
  },
  {
    reason: "the API server takes a list where the format is a time",
    model: no,
    server: ok,
    rows: {
      "spec.template.spec.taints": ["a list instead of a time"],
      "spec.template.spec.startupTaints": ["a list instead of a time"],
    },
  },
  {
    reason: "metadata is the API server's business: nothing of it is rendered",
    model: ok,
    server: no,
    rows: { "metadata.labels": ["a blank in the key"], "metadata.lables": ["a field that is none"] },
  },
  {
    reason: "the API server takes the namespace from the request; the hosted cluster of a file without it is unknown",
    model: no,
    server: ok,
    rows: { "metadata.namespace": ["missing"] },
  },
];

const TAINTS = [
  "a key of 317 characters",
  "64 characters after the slash",
  "254 characters before the slash",
  "a value of 64 characters",
  "a taint twice",
  "a taint twice with different values",
];

/** Of Karpenter's CRDs. */
export const OF_KARPENTER: readonly Difference[] = [
  {
    reason: "Karpenter's run time refuses it, and the pool gets no node",
    model: no,
    server: ok,
    rows: {
      "spec.template.spec.requirements": [
        "entry: 64 characters after the slash",
        "entry: 254 characters before the slash",
        "entry: the node class's own key",
        "entry: a plus sign",
        "entry: a value of 64 characters",
        "entry: a blank in a value",
        "entry: a value that begins with a dash",
        "entry: a slash in a value",
        "entry: no capacity-type that is known",
        "entry: no tenancy that is known",
        "entry: one known capacity-type for minValues 2",
        "entry: one known tenancy for minValues 2",
      ],
      "spec.template.metadata.labels": [
        "a blank in the key",
        "a key that ends with a slash",
        "64 characters after the slash",
        "254 characters before the slash",
        "an empty key",
        "the node class's own key",
      ],
      "spec.template.spec.taints": TAINTS,
      "spec.template.spec.startupTaints": TAINTS,
      "spec.template.spec": ["lists: a taint in both lists"],
    },
  },
  {
    reason: "JavaScript would round the number, so it is refused; in quotes it is accepted",
    model: no,
    server: ok,
    rows: { "spec.limits": ["a number beyond 2^53"] },
  },
  {
    reason: "our own bound, which the cost estimate of our CRD's rules needs",
    model: no,
    server: ok,
    rows: {
      "spec.template.spec.requirements": ["entry: 2049 values"],
      "spec.template.spec.taints": ["101 taints"],
      "spec.template.spec.startupTaints": ["101 taints"],
    },
  },
  {
    reason: "the API server takes a list where the format is a time, and a time in small letters",
    model: no,
    server: ok,
    rows: {
      "spec.template.spec.taints": ["a list instead of a time", "a time in small letters"],
      "spec.template.spec.startupTaints": ["a list instead of a time", "a time in small letters"],
    },
  },
  {
    reason: "JavaScript does not distinguish 1.0 from 1",
    model: ok,
    server: no,
    rows: { "spec.template.spec.requirements": ["entry: minValues 1.0"] },
  },
];

/** By the name of the case. */
export function differencesIn(profile: Profile, table: readonly Difference[]): ReadonlyMap<string, Difference> {
  const here = table.filter(({ profiles }) => profiles === undefined || profiles.includes(profile));
  return new Map(
    here.flatMap((difference) =>
      Object.entries(difference.rows).flatMap(([field, names]) =>
        names.map((name) => [`${field}: ${name}`, difference] as const),
      ),
    ),
  );
}
