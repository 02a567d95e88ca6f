/** Renders AWS tags of a node class: the platform's, then the user's, without restricted tags. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import type { FieldPath } from "../krm/places/field-path.ts";
import { describeResource } from "../krm/places/resource.ts";
import type { ResourceTags } from "../model/settings/render-config.ts";
import type { Origin, Place, Sourced } from "../resolve/origin.ts";
import type { NodeClassWrapper } from "../resolve/read-node-class.ts";

export interface Tags {
  /** Sorted by key; undefined if empty. */
  readonly tags: Record<string, string> | undefined;
  readonly origins: readonly Origin[];
}

const FIELD: FieldPath = ["spec", "tags"];

/**
 * Karpenter sets these itself and refuses them in a class. They are dropped silently, because every platform has one
 * of them.
 */
const RESTRICTED = [
  /^kubernetes\.io\/cluster\/[0-9A-Za-z][A-Za-z0-9\-_]*$/,
  /^karpenter\.sh\/nodepool$/,
  /^karpenter\.sh\/nodeclaim$/,
  /^karpenter\.k8s\.aws\/ec2nodeclass$/,
  /^eks:eks-cluster-name$/,
];

interface Tag {
  readonly value: string;
  readonly from: Place;
  readonly fixed: boolean;
}

/** See docs/upstream/hypershift.md#tags. */
export function renderTags(nodeClass: NodeClassWrapper, platform: Sourced<ResourceTags> | undefined): Outcome<Tags> {
  const findings: Finding[] = [];
  const tags = new Map<string, Tag>();
  platform?.value.forEach(({ key, value, overridePolicy }, index) => {
    const { resource, path } = platform.from;
    tags.set(key, { value, from: { resource, path: [...path, index, "value"] }, fixed: overridePolicy !== "Allow" });
  });
  for (const [key, value] of Object.entries(nodeClass.spec.tags ?? {})) {
    const platforms = tags.get(key);
    const from = nodeClass.placeOf(["tags", key]);
    if (platforms?.fixed !== true) tags.set(key, { value, from, fixed: false });
    else if (platforms.value !== value) findings.push(overridden(nodeClass, key, platforms, from));
  }
  for (const key of tags.keys()) {
    if (RESTRICTED.some((pattern) => pattern.test(key))) tags.delete(key);
  }
  const sorted = [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const origins: Origin[] = sorted.map(([key, { from }]) => ({ output: [...FIELD, key], input: from }));
  const value = Object.fromEntries(sorted.map(([key, tag]) => [key, tag.value]));
  return { value: { tags: sorted.length === 0 ? undefined : value, origins }, findings };
}

function overridden(nodeClass: NodeClassWrapper, key: string, platform: Tag, from: Place): Finding {
  const message = `${describeResource(nodeClass.wrapper)}: the tag ${key} is set by the platform to "${platform.value}", which wins`;
  const hint = "remove the tag, or allow it on the platform (overridePolicy: Allow)";
  return findingAt("tag-overridden", from.resource, from.path, { message, hint });
}
