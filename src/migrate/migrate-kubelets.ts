/** Plans where kubelet settings of pools move: settings and pools of each node class. */
import type { Finding, Outcome, Words } from "../krm/findings/finding.ts";
import { canonical } from "../krm/values/canonical.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { KARPENTER_AWS_GROUP } from "../krm/findings/known-kinds.ts";
import type { Resource } from "../krm/places/resource.ts";
import { byBytes } from "../model/values/by-bytes.ts";
import { annotationOf, KUBELET_ANNOTATION } from "../karpenter/conversion/convert-annotations.ts";
import { kubeletOfJson } from "../karpenter/conversion/convert-kubelet.ts";
import { refToV1 } from "../karpenter/conversion/convert-node-class-ref.ts";
import { type Fields, fieldsOf, isFields } from "../krm/values/fields.ts";
import { type FieldPlace, type KarpenterObject, noteOn } from "./migration.ts";

/** A node class after migration: the one of the input, or one split off from it. */
export interface PlannedClass {
  readonly name: string;
  readonly kubelet: Fields | undefined;
  readonly kubeletFrom: FieldPlace | undefined;
  /** Pools, and claims without a pool. */
  readonly users: readonly Resource[];
}

export interface KubeletPlan {
  /** By node class of the input; the first keeps its name. Unused classes are not listed. */
  readonly classes: ReadonlyMap<Resource, readonly PlannedClass[]>;
  /** The new class name of each pool or claim. */
  readonly classNames: ReadonlyMap<Resource, string>;
  /** The effective settings of a pool or claim, and the class that contains them. */
  readonly kubelets: ReadonlyMap<Resource, { readonly kubelet: Fields; readonly from: FieldPlace | undefined }>;
}

interface User {
  readonly object: KarpenterObject;
  readonly kubelet: Fields | undefined;
  readonly from: FieldPlace | undefined;
}

interface Group {
  readonly kubelet: Fields | undefined;
  readonly users: readonly User[];
  /** Names of the pools, or if there are none, of the claims. */
  readonly names: readonly string[];
  readonly pools: number;
}

/** The name of the class is a label value of nodes. */
const MAX_NAME = 63;

export function planKubelets(objects: readonly KarpenterObject[]): Outcome<KubeletPlan> {
  const findings: Finding[] = [];
  const nodeClasses = objects.filter(({ kind }) => kind === "EC2NodeClass").map(({ resource }) => resource);
  const byName = Map.groupBy(nodeClasses, ({ name }) => name);
  const given = new Set(nodeClasses.map(idOf));
  const users = new Map<Resource, User[]>(nodeClasses.map((resource) => [resource, []]));
  const kubelets = new Map<Resource, { kubelet: Fields; from: FieldPlace | undefined }>();
  for (const object of objects) {
    if (object.kind === "EC2NodeClass") continue;
    const own = ownKubelet(object, findings);
    const { value: nodeClass, message, hint } = classOf(object, byName);
    if (nodeClass === undefined && own.kubelet !== undefined && own.from !== undefined)
      findings.push(noteOn(object.resource, "migrate-refused", own.from.path, message, hint));
    const kubelet = own.given ? own.kubelet : kubeletOf(nodeClass);
    const ofClass =
      own.given || nodeClass === undefined ? undefined : { resource: nodeClass, path: ["spec", "kubelet"] };
    if (kubelet !== undefined) kubelets.set(object.resource, { kubelet, from: ofClass });
    // Karpenter creates the claims of a pool and refuses changes of them.
    if (nodeClass !== undefined && !isOfPool(object)) {
      users.get(nodeClass)!.push({ object, kubelet, from: own.from });
    }
  }
  const classes = new Map<Resource, readonly PlannedClass[]>();
  const classNames = new Map<Resource, string>();
  for (const [nodeClass, all] of users) {
    const groups = groupsOf(all);
    if (groups.length === 0) continue;
    const planned = groups.map((group, index) => plannedClass(nodeClass, group, index));
    const own = new Set<string>();
    for (const [index, { name }] of planned.entries()) {
      for (const { object } of groups[index]!.users) classNames.set(object.resource, name);
      const isTaken = own.has(name) || given.has(idOf({ ...nodeClass, name }));
      if (index > 0) findings.push(...obstacles(nodeClass, name, isTaken));
      own.add(name);
    }
    classes.set(nodeClass, planned);
  }
  return { value: { classes, classNames, kubelets }, findings };
}

/** A claim that Karpenter created for a pool. */
function isOfPool({ kind, resource }: KarpenterObject): boolean {
  return kind === "NodeClaim" && valueAt(resource.value, ["metadata", "labels", "karpenter.sh/nodepool"]) !== undefined;
}

function specPath({ kind }: Pick<KarpenterObject, "kind">): readonly string[] {
  return kind === "NodePool" ? ["spec", "template", "spec"] : ["spec"];
}

interface OwnKubelet {
  readonly kubelet: Fields | undefined;
  readonly from: FieldPlace | undefined;
  /** Set even if the settings are empty. */
  readonly given: boolean;
}

/** In v1beta1 a field; in v1 the annotation of the conversion, which takes precedence over the class. */
function ownKubelet(object: KarpenterObject, findings: Finding[]): OwnKubelet {
  const { resource, version } = object;
  if (version === "v1beta1") {
    const path = [...specPath(object), "kubelet"];
    const value = valueAt(resource.value, path);
    return { kubelet: settings(value), from: { resource, path }, given: isFields(value) };
  }
  const path = ["metadata", "annotations", KUBELET_ANNOTATION];
  const annotation = annotationOf(resource.value, KUBELET_ANNOTATION);
  const value = annotation === undefined ? undefined : kubeletOfJson(annotation);
  if (annotation !== undefined && value === undefined) {
    const hint = "write the settings in spec.kubelet of the EC2NodeClass";
    findings.push(noteOn(resource, "migrate-invalid", path, ": the annotation is not JSON of kubelet settings", hint));
  }
  return { kubelet: settings(value), from: { resource, path }, given: value !== undefined };
}

/** Empty settings count as none. */
function settings(value: unknown): Fields | undefined {
  const fields = fieldsOf(value);
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function kubeletOf(nodeClass: Resource | undefined): Fields | undefined {
  return nodeClass === undefined ? undefined : settings(valueAt(nodeClass.value, ["spec", "kubelet"]));
}

interface Found extends Words {
  readonly value?: Resource;
}

/** The class in the same folder, or else the only one of that name; otherwise the text says why there is none. */
function classOf(object: KarpenterObject, byName: ReadonlyMap<unknown, readonly Resource[]>): Found {
  const given = valueAt(object.resource.value, [...specPath(object), "nodeClassRef"]);
  const { group, kind, name } = object.version === "v1" ? fieldsOf(given) : refToV1(given, object.meant);
  if (group !== KARPENTER_AWS_GROUP || kind !== "EC2NodeClass") {
    const message = `: the kubelet settings cannot be moved, because it refers to the ${String(kind)} ${String(name)} of ${String(group)}`;
    return { message, hint: "anp supports only EC2NodeClasses; move the settings manually" };
  }
  const named = byName.get(name) ?? [];
  const near = named.filter(({ folder }) => folder === object.resource.folder);
  const [only, ...others] = near.length > 0 ? near : named;
  const start = `: the kubelet settings cannot be moved: the EC2NodeClass ${String(name)} is`;
  if (only === undefined)
    return { message: `${start} not in the input`, hint: "add it to the input: v1 has the kubelet settings there" };
  if (others.length === 0) return { value: only, message: "" };
  return { message: `${start} in the input more than once`, hint: "migrate the manifests of one cluster at a time" };
}

/** The group with the most pools comes first; equal ones are sorted by their first name. */
function groupsOf(users: readonly User[]): Group[] {
  const byKubelet = Map.groupBy(users, ({ kubelet }) => canonical(kubelet ?? {}));
  const groups = [...byKubelet.values()].map((some): Group => {
    const pools = some.filter(({ object }) => object.kind === "NodePool");
    const named = (pools.length > 0 ? pools : some).map(({ object }) => object.resource.name).toSorted(byBytes);
    return { kubelet: some[0]!.kubelet, users: some, names: named, pools: pools.length };
  });
  return groups.toSorted((a, b) => b.pools - a.pools || byBytes(a.names[0]!, b.names[0]!));
}

function plannedClass(nodeClass: Resource, { kubelet, users, names }: Group, index: number): PlannedClass {
  const name = index === 0 ? nodeClass.name : `${nodeClass.name}-${names[0]!}`;
  const written = users.find(({ object, from }) => object.version === "v1beta1" && isFields(valueOf(from)));
  return { name, kubelet, kubeletFrom: written?.from, users: users.map(({ object }) => object.resource) };
}

function valueOf(place: FieldPlace | undefined): unknown {
  return place === undefined ? undefined : valueAt(place.resource.value, place.path);
}

/** Unique within its folder. */
function idOf({ folder, name }: Pick<Resource, "folder" | "name">): string {
  return JSON.stringify([folder, name]);
}

function obstacles(nodeClass: Resource, name: string, isTaken: boolean): Finding[] {
  const split = ": its pools have different kubelet settings, so it is split";
  if (isTaken) {
    const hint = `rename the other ${name}`;
    return [
      noteOn(nodeClass, "migrate-refused", ["metadata", "name"], `${split}, but the name ${name} is taken`, hint),
    ];
  }
  if (name.length <= MAX_NAME) return [];
  const message = `${split}, but the name ${name} exceeds the ${MAX_NAME} characters of a node's label`;
  return [noteOn(nodeClass, "migrate-refused", ["metadata", "name"], message, "shorten the name of the class or pool")];
}
