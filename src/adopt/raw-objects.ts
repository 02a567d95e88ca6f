/** Selects the pools and node classes to adopt, and reports why others are skipped. */
import { type Finding, findingAt, type Words } from "../krm/findings/finding.ts";
import type { FindingCode } from "../krm/findings/finding-codes.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../krm/findings/known-kinds.ts";
import { nearestWord } from "../krm/values/nearest-word.ts";
import { describeResource, groupOf, type Resource } from "../krm/places/resource.ts";
import { carriesMarks } from "../model/objects/marks.ts";
import { appliedKind, owningWrapper } from "../model/objects/applied-kinds.ts";

export interface RawObjects {
  readonly nodePools: readonly Resource[];
  readonly nodeClasses: readonly Resource[];
  /** Names of node classes that have a wrapper, or get one in this run. */
  readonly classNames: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

interface RawKind {
  readonly group: string;
  readonly wrapper: string;
  /** The name of the kind before v1beta1. */
  readonly before: string;
}

const RAW_KINDS: Readonly<Record<string, RawKind>> = {
  NodePool: rawKindOf("NodePool", "Provisioner"),
  EC2NodeClass: rawKindOf("EC2NodeClass", "AWSNodeTemplate"),
};

function rawKindOf(kind: string, before: string): RawKind {
  const { group, wrapper } = appliedKind(kind);
  return { group, wrapper: String(wrapper), before };
}

/**
 * Ignores objects of other kinds, including NodeClaims, which Karpenter creates from its pools.
 *
 * @param allWrappers whether the resources include every wrapper of their cluster
 */
export function rawObjects(resources: readonly Resource[], allWrappers: boolean): RawObjects {
  const findings: Finding[] = [];
  const taken = new Map<string, Resource>();
  const classNames = new Set<string>();
  for (const resource of resources) {
    if (groupOf(resource.apiVersion) !== HYPERSHIFT_KARPENTER_GROUP) continue;
    taken.set(describeResource(resource), resource);
    if (resource.kind === "OpenshiftEC2NodeClass") classNames.add(resource.name);
  }
  const adopted = resources.filter((resource) => {
    const kind = rawKind(resource);
    if (kind === undefined) return false;
    const hasLost = allWrappers && !taken.has(describeResource({ kind: kind.wrapper, name: resource.name }));
    const obstacle = obstacleOf(resource, kind, taken, hasLost);
    if (obstacle !== undefined) {
      const { code, path = ["kind"], ...words } = obstacle;
      findings.push(
        findingAt(code, resource, path, { ...words, message: `${describeResource(resource)} ${words.message}` }),
      );
    }
    // A skipped class has its wrapper in the cluster.
    if (resource.kind === "EC2NodeClass") classNames.add(resource.name);
    if (obstacle !== undefined) return false;
    taken.set(describeResource({ kind: kind.wrapper, name: resource.name }), resource);
    return true;
  });
  const ofKind = (kind: string) =>
    adopted.filter((resource) => resource.kind === kind).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { nodePools: ofKind("NodePool"), nodeClasses: ofKind("EC2NodeClass"), classNames, findings };
}

/** The kind of an object, also under its old or a misspelled name. */
function rawKind({ apiVersion, kind }: Resource): RawKind | undefined {
  const group = groupOf(apiVersion);
  return Object.entries(RAW_KINDS).find(
    ([name, raw]) => raw.group === group && (kind === raw.before || nearestWord(kind, [name], 2) === name),
  )?.[1];
}

interface Obstacle extends Words {
  readonly code: FindingCode;
  readonly path?: readonly string[];
}

/** @param hasLost whether the wrapper that its marks may name is gone */
function obstacleOf(
  resource: Resource,
  kind: RawKind,
  taken: ReadonlyMap<string, Resource>,
  hasLost: boolean,
): Obstacle | undefined {
  const { apiVersion, value, name } = resource;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  if (carriesMarks(value) && !hasLost)
    return { code: "adopt-skipped", message: "was rendered by anp, so it already has a wrapper" };
  const owner = owningWrapper(value);
  if (owner !== undefined)
    return {
      code: "adopt-skipped",
      message: `belongs to the ${owner.replace("/", " ")}, so it already has a wrapper`,
    };
  if (version !== "v1") {
    const message = `is ${apiVersion}, but anp adopts only v1`;
    // Only Karpenter's own old tools can convert versions before v1beta1.
    const hint =
      version === "v1beta1"
        ? `anp migrate --write converts it to ${kind.group}/v1`
        : `convert it to ${kind.group}/v1 first`;
    return { code: "adopt-version", path: ["apiVersion"], message, hint };
  }
  if (!Object.hasOwn(RAW_KINDS, resource.kind)) {
    const [meant] = Object.entries(RAW_KINDS).find(([, raw]) => raw === kind)!;
    return {
      code: "unknown-kind",
      message: `has a kind that ${kind.group} does not have`,
      hint: `did you mean ${meant}?`,
    };
  }
  const first = taken.get(describeResource({ kind: kind.wrapper, name }));
  if (first === undefined) return undefined;
  const message =
    first.kind === resource.kind
      ? `is given twice (first in ${first.document.source.file}); names are unique in a hosted cluster`
      : `would become the ${describeResource(first)}, which is already in ${first.document.source.file}`;
  const hint =
    first.kind === resource.kind ? "keep one of the two" : `remove one of the two: ${first.kind} is the wrapper`;
  return { code: "duplicate-resource", path: ["metadata", "name"], message, hint };
}
