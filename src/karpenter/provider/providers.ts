/** The providers of Karpenter, and the labels that belong to another provider than a pool's. */
import type { Words } from "../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { fieldsOf, listOf } from "../../krm/values/fields.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { ClassKind } from "../conversion/convert-node-class-ref.ts";
import { AWS } from "./aws.ts";
import { EKS_AUTO } from "./eks-auto.ts";
import { OTHER_GROUPS, otherProvider } from "./other.ts";
import type { Provider } from "./provider.ts";

/** The providers that anp knows. */
const KNOWN: readonly Provider[] = [AWS, EKS_AUTO, ...OTHER_GROUPS.map(otherProvider)];

/** A group with a typo counts as the nearest known one. */
export function providerOf({ group }: { readonly group: string }): Provider {
  const known = KNOWN.find((provider) => provider.group === group);
  if (known !== undefined) return known;
  const meant =
    nearestWord(
      group,
      KNOWN.map((provider) => provider.group),
      2,
    ) ?? group;
  return KNOWN.find((provider) => provider.group === meant) ?? otherProvider(group);
}

/** The provider that has node classes of the kind. */
export function providerOfKind(kind: string): Provider | undefined {
  return KNOWN.find(({ kinds }) => kinds?.includes(kind));
}

/** Whether the group is exactly that of a provider that anp knows. */
export function isOfKnownProvider(group: string): boolean {
  return KNOWN.some((provider) => provider.group === group);
}

/**
 * The node classes that a pool or claim of v1beta1 means by a reference without group or kind. Karpenter's conversion
 * takes those of its provider (docs/upstream/karpenter.md#nodepools-of-v1beta1), which the reference, the node classes
 * of the input and the labels tell. Undefined if nothing does.
 */
export function classKindMeant(object: Resource, classes: readonly Resource[]): ClassKind | undefined {
  const at = object.kind === "NodePool" ? ["spec", "template", "spec"] : ["spec"];
  const { apiVersion = "", kind, name } = fieldsOf(valueAt(object.value, [...at, "nodeClassRef"]));
  const group = groupOf(String(apiVersion));
  const { ofGroup, ofKind, named, near, all } = kindsAmong(classes);
  if (group !== "") return { group, kind: ofGroup.get(group)?.kind ?? providerOf({ group }).kinds?.[0] };
  const owner = providerOfKind(String(kind));
  if (owner !== undefined) return { group: owner.group, kind: String(kind) };
  return (
    ofKind.get(String(kind)) ??
    named.get(placeOf(object.folder, name)) ??
    ofLabels(object, at) ??
    near.get(object.folder) ??
    all.get("")
  );
}

/** Groups of node classes that are all of one kind. */
const kindsAmong = memoizeByObject((classes: readonly Resource[]) => {
  const kindsBy = (groupOfClass: (nodeClass: Resource) => string): ReadonlyMap<string, ClassKind> =>
    new Map(
      [...Map.groupBy(classes, groupOfClass)].flatMap(([key, [first, ...others]]): [string, ClassKind][] => {
        const [group, kind] = [groupOf(first!.apiVersion), first!.kind];
        const isOne = others.every((other) => groupOf(other.apiVersion) === group && other.kind === kind);
        return isOne ? [[key, { group, kind }]] : [];
      }),
    );
  return {
    ofGroup: kindsBy(({ apiVersion }) => groupOf(apiVersion)),
    ofKind: kindsBy(({ kind }) => kind),
    named: kindsBy(({ folder, name }) => placeOf(folder, name)),
    near: kindsBy(({ folder }) => folder),
    all: kindsBy(() => ""),
  };
});

function placeOf(folder: string, name: unknown): string {
  return JSON.stringify([folder, name]);
}

/** Labels of AWS may occur in the pools of a provider that simulates it. */
function ofLabels({ value }: Resource, spec: FieldPath): ClassKind | undefined {
  const keys = [
    ...listOf(valueAt(value, [...spec, "requirements"])).map((entry) => String(valueAt(entry, ["key"]))),
    ...Object.keys(fieldsOf(valueAt(value, [...spec.slice(0, -1), "metadata", "labels"]))),
  ];
  const owner = keys.map(ownerOfLabel).find((one) => one !== undefined && one !== AWS && one !== EKS_AUTO);
  return owner && { group: owner.group, kind: owner.kinds?.[0] };
}

/** The provider that owns a label; undefined for labels without an owner and those of unknown providers. */
function ownerOfLabel(key: string): Provider | undefined {
  return KNOWN.find(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)));
}

/**
 * Undefined for a label that is not of another provider.
 *
 * @param provider of the pool
 */
export function foreignLabel(key: string, provider: Provider): Words | undefined {
  const owner = ownerOfLabel(key);
  if (owner === undefined || owner === provider) return undefined;
  const message = `${key} is a label of ${owner.title}, which selects no instance type of ${provider.title}`;
  return { message, hint: hintFor(key, provider) };
}

/** Suggests the provider's own label of the same name. */
function hintFor(key: string, { prefixes, labels, title }: Provider): string {
  const own = [...labels.wellKnown].filter((label) => prefixes.some((prefix) => label.startsWith(prefix)));
  const meant = nearestWord(nameOf(key), own.map(nameOf), 2);
  const label = own.find((one) => nameOf(one) === meant);
  return label === undefined ? `remove it, or use a label of ${title}` : `did you mean ${label}?`;
}

function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}
