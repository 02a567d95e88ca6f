/** The groups and kinds that anp handles, and how to recognise a misspelling of one. */
import type { Words } from "./finding.ts";
import { nearestWord } from "../values/nearest-word.ts";

export const HYPERSHIFT_KARPENTER_GROUP = "karpenter.hypershift.openshift.io";
export const HYPERSHIFT_GROUP = "hypershift.openshift.io";
export const ANP_GROUP = "anp.hypershift.openshift.io";
export const KARPENTER_GROUP = "karpenter.sh";
export const KARPENTER_AWS_GROUP = "karpenter.k8s.aws";
/** The group of EKS Auto Mode. */
export const EKS_AUTO_GROUP = "eks.amazonaws.com";

/** Whether a text may be manifests of Karpenter's groups. */
export function holdsOurs(text: string): boolean {
  return HOLDS_OURS.test(text);
}

const HOLDS_OURS = /\bapiVersion["']?: *["']?(?:karpenter[\w.-]*|eks\.amazonaws\.com)\//;

/**
 * The versions in which each kind may be read (docs/render.md#what-is-read). Other kinds of these two groups are
 * refused.
 */
const KNOWN_KINDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [HYPERSHIFT_KARPENTER_GROUP]: {
    AutoNodePolicy: ["v1beta1"],
    OpenshiftNodePool: ["v1beta1"],
    OpenshiftEC2NodeClass: ["v1", "v1beta1"],
  },
  [ANP_GROUP]: { RenderConfig: ["v1alpha1"], WatchConfig: ["v1alpha1"] },
};

/**
 * Why an object may be a misspelt one of our kinds; undefined if it is unrelated. It may have our kind in another
 * group, our group without a kind, or a group one edit away from ours.
 */
export function suspectKind(apiVersion: unknown, kind: unknown): Words | undefined {
  const group = typeof apiVersion === "string" ? (apiVersion.split("/")[0] ?? "") : "";
  const version = typeof apiVersion === "string" ? apiVersion.slice(group.length + 1) : "";
  for (const [ours, kinds] of Object.entries(KNOWN_KINDS)) {
    // Other groups may well have a RenderConfig of their own.
    const sameKind = ours === HYPERSHIFT_KARPENTER_GROUP && typeof kind === "string" && Object.hasOwn(kinds, kind);
    if (group === ours) {
      if (typeof kind !== "string" || kind === "")
        return {
          message: `has the apiVersion \`${String(apiVersion)}\` and no kind`,
          hint: `kinds of this group: ${Object.keys(kinds).join(", ")}`,
        };
      const versions = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
      if (versions === undefined) return unknownKind(kind, ours, Object.keys(kinds));
      if (versions.includes(version)) return undefined;
      const message =
        version === "" ? "has no version in its apiVersion" : `has the version \`${version}\`, which anp does not know`;
      return { message, hint: `write apiVersion: ${ours}/${versions[0]}` };
    }
    if (sameKind) {
      const message = `has ${group === "" ? "no API group" : `the API group \`${group}\``}, so it would not be read as a rule or wrapper`;
      return { message, hint: `write apiVersion: ${ours}/${kinds[kind]?.[0]}` };
    }
    if (nearestWord(group, [ours], 2) === ours) {
      return {
        message: `has the API group \`${group}\`, which looks like \`${ours}\``,
        hint: `write apiVersion: ${ours}/${version}`,
      };
    }
  }
  return undefined;
}

/** The versions of Karpenter's kinds since 1.1; v1beta1 is converted (docs/upstream/karpenter.md#versions). */
const SERVED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [KARPENTER_GROUP]: { NodePool: ["v1", "v1beta1"], NodeClaim: ["v1", "v1beta1"], NodeOverlay: ["v1alpha1"] },
  [KARPENTER_AWS_GROUP]: { EC2NodeClass: ["v1", "v1beta1"] },
};

/** Kinds of Karpenter before 0.33, and what they became. */
const PREDECESSORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [KARPENTER_GROUP]: { Provisioner: "NodePool", Machine: "NodeClaim" },
  [KARPENTER_AWS_GROUP]: { AWSNodeTemplate: "EC2NodeClass" },
};

export interface NotServed extends Words {
  readonly field: "apiVersion" | "kind";
}

/** Why no Karpenter serves an object of its groups; undefined if it does, or if the group is not Karpenter's. */
export function notServed(apiVersion: string, kind: string): NotServed | undefined {
  const [group = "", version = ""] = apiVersion.split("/");
  const kinds = SERVED[group];
  if (kinds === undefined) return undefined;
  const versions = Object.hasOwn(kinds, kind) ? kinds[kind]! : undefined;
  if (versions?.includes(version)) return undefined;
  if (versions !== undefined) {
    const message = `has the version \`${version}\`, which Karpenter does not have, so the API server refuses it`;
    return { field: "apiVersion", message, hint: `write apiVersion: ${group}/${versions[0]}` };
  }
  const successor = Object.hasOwn(PREDECESSORS[group]!, kind) ? PREDECESSORS[group]![kind]! : undefined;
  if (successor !== undefined) {
    const message = `is of Karpenter before 0.33: it became ${successor}, and no later version serves it`;
    const hint = `convert it to v1beta1 with karpenter-convert of Karpenter 0.32, then with anp migrate`;
    return { field: "kind", message, hint };
  }
  const home = Object.keys(SERVED).find((other) => Object.hasOwn(SERVED[other]!, kind));
  if (home !== undefined) {
    const message = `has the API group \`${group}\`, and ${kind} is of \`${home}\`, so the API server refuses it`;
    return { field: "apiVersion", message, hint: `write apiVersion: ${home}/${SERVED[home]![kind]![0]}` };
  }
  const meant = nearestWord(kind, Object.values(SERVED).flatMap(Object.keys), 2);
  if (meant === undefined) return undefined;
  const message = `has the kind \`${kind}\`, which Karpenter does not have, so the API server refuses it`;
  return { field: "kind", message, hint: `did you mean ${meant}?` };
}

function unknownKind(kind: string, group: string, kinds: readonly string[]): Words {
  const nearest = nearestWord(kind, kinds, 3);
  return {
    message: `has the kind \`${kind}\`, which is none of ${group} that anp knows`,
    hint: nearest === undefined ? `kinds of this group: ${kinds.join(", ")}` : `did you mean ${nearest}?`,
  };
}
