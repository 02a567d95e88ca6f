/** Rules of the set `production`: choices that cost money or availability later. */
import { imageFamilyOf } from "../../../karpenter/node-class/root-device.ts";
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { valuesOf } from "../../../karpenter/catalogue/type-filter.ts";
import {
  countTypes,
  haveCommon,
  isNone,
  maskOf,
  type TypeMask,
  without,
} from "../../../karpenter/catalogue/type-mask.ts";
import { type Finding, findingAt, type Words } from "../../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { listOf } from "../../../krm/values/fields.ts";
import { memoizeByObject } from "../../../model/schema/memoize.ts";
import { isUnknownAt } from "../../../model/objects/placeholders.ts";
import { parseQuantity } from "../../../model/values/quantity.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { typesOfPolicy } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import { checkedClasses, rawClasses } from "../checked-classes.ts";
import { taintsOf } from "../overlapping.ts";
import { isSpotAlone } from "./spot-diversity.ts";

const REQUIREMENTS: FieldPath = ["spec", "template", "spec", "requirements"];

const WORDS = {
  "limits-unset": {
    message: "no limits: a mistake in one workload starts nodes until a quota of the account is used up",
    hint: "set limits.cpu to what the pool may need",
  },
  "limits-copied": {
    message: "a limit of 1000 CPUs, as in Karpenter's examples, bounds no mistake in a smaller cluster",
    hint: "set limits.cpu to what the pool may need",
  },
  "image-family-ended": {
    message:
      "AWS no longer supports Amazon Linux 2 for EKS: its nodes get no security fixes, and from Kubernetes 1.33 on Karpenter finds no image",
    hint: "use an alias of al2023 or bottlerocket",
  },
  "instance-type-alone": {
    message: "only one instance type is left: while EC2 has none of it, pods stay pending",
    hint: "allow more sizes, families or generations",
  },
  "expiry-unbounded": {
    message:
      "nodes expire, and without terminationGracePeriod a pod that must not be evicted keeps an expired node for as long as it runs",
    hint: "set terminationGracePeriod, such as 24h, or expireAfter: Never",
  },
  "generations-old": {
    message: "instance types of generations 1 to 3 are left, such as m1, c3 and r3, which are slow for their price",
    hint: "add karpenter.k8s.aws/instance-generation Gt 3; Gt 2 leaves m3, c3 and r3",
  },
  "instance-types-unbounded": {
    message: "instance types of all sizes and generations are left, from at most 1 GiB to more than 6 TiB of memory",
    hint: "add entries for karpenter.k8s.aws/instance-category and instance-generation, or limits",
  },
  "bare-metal-left": {
    message: "bare-metal types are left among others: each is a whole host, and takes minutes longer to become a node",
    hint: "add karpenter.k8s.aws/instance-hypervisor In nitro, or a pool with a taint for those who need them",
  },
} as const satisfies Record<string, Words>;

function finding(code: keyof typeof WORDS, resource: Resource, path: FieldPath): Finding {
  const { message, hint } = WORDS[code];
  return findingAt(code, resource, path, { message: `${describeResource(resource)}: ${message}`, hint });
}

/** No pool without a limit, and none with the limit of Karpenter's getting-started guide. */
export function limitsChosen({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap(({ wrapper, spec: { limits = {} }, replicas }) => {
    if (replicas !== undefined || isUnknownAt(wrapper, ["spec", "limits"])) return [];
    if (Object.keys(limits).length === 0) return [finding("limits-unset", wrapper, ["spec"])];
    const isCopied = parseQuantity(String(limits["cpu"] ?? ""))?.nano === COPIED_CPUS;
    return isCopied ? [finding("limits-copied", wrapper, ["spec", "limits", "cpu"])] : [];
  });
}

const COPIED_CPUS = 1000n * 10n ** 9n;

/** Windows images cannot be pinned by alias (docs/upstream/karpenter.md#images). */
const MOVING_ALIAS = /^(?!windows).*@latest$/i;

/** Images that change without a change of the class: drift replaces all nodes then. */
export function imageUnpinned(cluster: ExplainedCluster): Finding[] {
  const poolsOf = Map.groupBy(cluster.pools, ({ nodeClassRef }) => nodeClassRef.name);
  return rawClasses(cluster).flatMap((resource) => {
    const pools = poolsOf.get(resource.name) ?? [];
    // A window for drifted nodes decides when they go.
    if (pools.length > 0 && pools.every(hasDriftWindow)) return [];
    const found = listOf(valueAt(resource.value, TERMS)).flatMap((term, index) => {
      const [alias, name] = [valueAt(term, ["alias"]), valueAt(term, ["name"])];
      if (typeof alias === "string" && MOVING_ALIAS.test(alias))
        return [{ path: [...TERMS, index, "alias"], what: `the alias ${alias}`, instead: "a version of the alias" }];
      if (typeof name === "string" && /[*?]/.test(name))
        return [{ path: [...TERMS, index, "name"], what: "a name with a wildcard", instead: "the images by id" }];
      return [];
    });
    return found.slice(0, 1).map(({ path, what, instead }) =>
      findingAt("image-unpinned", resource, path, {
        message: `${describeResource(resource)}: ${what} follows new images: each one replaces all nodes of the class, as fast as budgets allow`,
        hint: `name ${instead}, or give the pools a budget with a schedule for Drifted`,
      }),
    );
  });
}

const TERMS: FieldPath = ["spec", "amiSelectorTerms"];

function hasDriftWindow({ spec: { disruption } }: ResolvedPool): boolean {
  return (disruption?.budgets ?? []).some(
    ({ schedule, reasons }) => schedule !== undefined && (reasons ?? ["Drifted"]).includes("Drifted"),
  );
}

/** See docs/upstream/karpenter.md#images. Other images of the family AL2 may be those of another distribution. */
export function imageFamilyEnded(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) => {
    const terms = listOf(valueAt(resource.value, TERMS));
    if (terms.length === 0)
      return imageFamilyOf(resource.value) === "al2"
        ? [finding("image-family-ended", resource, ["spec", "amiFamily"])]
        : [];
    const index = terms.findIndex((term) => /^al2@/i.test(String(valueAt(term, ["alias"]) ?? "")));
    return index === -1 ? [] : [finding("image-family-ended", resource, [...TERMS, index, "alias"])];
  });
}

/** Spot pools have a rule of their own for few types. */
export function instanceTypeAlone(cluster: ExplainedCluster): Finding[] {
  const { explanations, knownTypes } = cluster;
  if (knownTypes.typesUnknown === true) return [];
  // If the policy allows one type, no pool can have more.
  if (countTypes(typesOfPolicy(cluster).types) < 2) return [];
  return explanations
    .filter(({ instanceTypes: { names }, requirements }) => names.length === 1 && !requirements.some(isSpotAlone))
    .filter(getsNodes)
    .map(({ pool }) => finding("instance-type-alone", pool.wrapper, REQUIREMENTS));
}

/** Expired nodes drain without end (docs/upstream/karpenter.md#how-long-nodes-stay). */
export function expiryUnbounded({ pools, provider }: ExplainedCluster): Finding[] {
  // It bounds the lifetime itself.
  if (provider.name === "eks-auto") return [];
  return pools.flatMap(({ wrapper, spec: { template } }) => {
    const { expireAfter, terminationGracePeriod } = template.spec;
    if (expireAfter === "Never" || terminationGracePeriod !== undefined) return [];
    if (isUnknownAt(wrapper, ["spec", "template", "spec", "terminationGracePeriod"])) return [];
    return [finding("expiry-unbounded", wrapper, ["spec", "template", "spec", "expireAfter"])];
  });
}

/**
 * Pools with all sizes of instance types, and others with bare metal or the first generations of the general families;
 * those of other families, such as t3 and p3, are present ones.
 */
export function instanceTypesUnintended({ explanations, knownTypes }: ExplainedCluster): Finding[] {
  if (knownTypes.typesUnknown === true) return [];
  const { old, least, most, metal } = unusual(knownTypes.filter.catalogue);
  return explanations.flatMap((explanation) => {
    const { pool, remaining } = explanation;
    // Labels of another provider, which have a finding, were meant to select types.
    if (!getsNodes(explanation) || namesTypes(explanation) || pool.foreign.length > 0) return [];
    const has = (types: TypeMask): boolean => haveCommon(remaining.types, types);
    if (has(least) && has(most)) return [finding("instance-types-unbounded", pool.wrapper, REQUIREMENTS)];
    const isMetalLeft = isGeneral(pool) && has(metal) && !isNone(without(remaining.types, metal));
    return [
      ...(has(old) ? [finding("generations-old", pool.wrapper, REQUIREMENTS)] : []),
      ...(isMetalLeft ? [finding("bare-metal-left", pool.wrapper, REQUIREMENTS)] : []),
    ];
  });
}

const unusual = memoizeByObject((catalogue: Catalogue) => {
  const label = (type: number, name: string): string | undefined =>
    valuesOf(catalogue, type, `karpenter.k8s.aws/instance-${name}`)[0];
  const typesWith = (test: (type: number) => boolean) => maskOf(catalogue.names.length, test);
  return {
    old: typesWith((type) => "cmr".includes(label(type, "category") ?? " ") && Number(label(type, "generation")) <= 3),
    least: typesWith((type) => Number(label(type, "memory")) <= LEAST_MEBIBYTES),
    metal: typesWith((type) => catalogue.names[type]!.includes(".metal")),
    most: typesWith((type) => Number(label(type, "memory")) >= MOST_MEBIBYTES),
  };
});

const LEAST_MEBIBYTES = 1024;
const MOST_MEBIBYTES = 6 * 1024 ** 2;

/** Whether pods that ask for nothing special get its nodes. */
function isGeneral(pool: ResolvedPool): boolean {
  const isTainted = taintsOf(pool) !== "" || isUnknownAt(pool.wrapper, ["spec", "template", "spec", "taints"]);
  return pool.provider.name === "aws" && pool.replicas === undefined && !isTainted;
}

function getsNodes({ verdict }: PoolExplanation): boolean {
  return verdict !== "unsatisfiable";
}

const NAMES = ["node.kubernetes.io/instance-type", "karpenter.k8s.aws/instance-family"];

function namesTypes({ requirements }: PoolExplanation): boolean {
  return requirements.some(({ key, effective }) => NAMES.includes(key) && !effective.complement);
}

/** With one more hop, or without tokens, containers reach the credentials of their node. */
export function instanceMetadataOpen(cluster: ExplainedCluster): Finding[] {
  return checkedClasses(cluster).flatMap(({ placeOf }) => {
    const at = (field: string) => {
      const { resource, path } = placeOf(["metadataOptions", field]);
      return { resource, path, value: valueAt(resource.value, path) };
    };
    const [hops, tokens] = [at("httpPutResponseHopLimit"), at("httpTokens")];
    if (at("httpEndpoint").value === "disabled" || at("access").value === "None") return [];
    const open = [
      ...(typeof hops.value === "number" && hops.value > 1
        ? [{ ...hops, why: "with a hop limit above 1 every pod can get the credentials of its node" }]
        : []),
      ...(String(tokens.value).toLowerCase() === "optional"
        ? [{ ...tokens, why: "without required tokens a forged request (SSRF) can get the credentials of the node" }]
        : []),
    ];
    return open.map(({ resource, path, why }) =>
      findingAt("instance-metadata-open", resource, path, {
        message: `${describeResource(resource)}: ${why} from the instance metadata service`,
        hint: "remove the field: by default tokens are required, and one hop is allowed",
      }),
    );
  });
}
