/** Where the kubelet settings of pools go: which node class gets which, and who refers to it. */
import type { Finding, Outcome, Words } from "../krm/finding.ts";
import { valueAt } from "../krm/field-path.ts";
import { KARPENTER_AWS_GROUP } from "../krm/known-kinds.ts";
import type { Resource } from "../krm/resource.ts";
import { byBytes } from "../model/by-bytes.ts";
import { annotationOf, KUBELET_ANNOTATION } from "../karpenter/conversion/convert-annotations.ts";
import { kubeletOfJson } from "../karpenter/conversion/convert-kubelet.ts";
import { refToV1 } from "../karpenter/conversion/convert-node-class-ref.ts";
import { type Fields, fieldsOf, isFields } from "../karpenter/conversion/plain-fields.ts";
import { type FieldPlace, type KarpenterObject, noteOn } from "./migration.ts";

/** A node class as it is to be: the one of the input, or one split off from it. */
export interface PlannedClass {
  readonly name: string;
  readonly kubelet: Fields | undefined;
  readonly kubeletFrom: FieldPlace | undefined;
  /** Pools, and claims that are of no pool. */
  readonly users: readonly Resource[];
}

export interface KubeletPlan {
  /** By the node class of the input; the first keeps its name. A class that nobody uses is not there. */
  readonly classes: ReadonlyMap<Resource, readonly PlannedClass[]>;
  /** The name of the class that a pool or claim refers to from now on. */
  readonly classNames: ReadonlyMap<Resource, string>;
  /** The settings that a pool or claim had in effect, and the class that they stand in. */
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
  /** Those of the pools, or where there are none, of the claims. */
  readonly names: readonly string[];
  readonly pools: number;
}

/** A node's label holds the name of its class. */
const MAX_NAME = 63;

export function planKubelets(objects: readonly KarpenterObject[]): Outcome<KubeletPlan> {
  const findings: Finding[] = [];
  const nodeClasses = objects.filter(({ kind }) => kind === "EC2NodeClass").map(({ resource }) => resource);
  const users = new Map<Resource, User[]>(nodeClasses.map((resource) => [resource, []]));
  const kubelets = new Map<Resource, { kubelet: Fields; from: FieldPlace | undefined }>();
  for (const object of objects) {
    if (object.kind === "EC2NodeClass") continue;
    const own = ownKubelet(object, findings);
    const { value: nodeClass, message, hint } = classOf(object, nodeClasses);
    if (nodeClass === undefined && own.kubelet !== undefined && own.from !== undefined)
      findings.push(noteOn(object.resource, "migrate-refused", own.from.path, message, hint));
    const kubelet = own.given ? own.kubelet : kubeletOf(nodeClass);
    const ofClass =
      own.given || nodeClass === undefined ? undefined : { resource: nodeClass, path: ["spec", "kubelet"] };
    if (kubelet !== undefined) kubelets.set(object.resource, { kubelet, from: ofClass });
    // Karpenter makes the claims of a pool itself, and refuses to have them changed.
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
    const taken = new Set(nodeClasses.filter(({ folder }) => folder === nodeClass.folder).map(({ name }) => name));
    for (const [index, { name }] of planned.entries()) {
      for (const { object } of groups[index]!.users) classNames.set(object.resource, name);
      if (index > 0) findings.push(...obstacles(nodeClass, name, taken));
      taken.add(name);
    }
    classes.set(nodeClass, planned);
  }
  return { value: { classes, classNames, kubelets }, findings };
}

/** A claim that Karpenter made for a pool. */
function isOfPool({ kind, resource }: KarpenterObject): boolean {
  return kind === "NodeClaim" && valueAt(resource.value, ["metadata", "labels", "karpenter.sh/nodepool"]) !== undefined;
}

function specPath({ kind }: Pick<KarpenterObject, "kind">): readonly string[] {
  return kind === "NodePool" ? ["spec", "template", "spec"] : ["spec"];
}

interface OwnKubelet {
  readonly kubelet: Fields | undefined;
  readonly from: FieldPlace | undefined;
  /** It counts although it says nothing. */
  readonly given: boolean;
}

/** In v1beta1 a field; in v1 the annotation of the conversion, which counts for more than the class. */
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
    const hint = "it holds the settings of v1beta1 as JSON; write them into spec.kubelet of the EC2NodeClass";
    findings.push(noteOn(resource, "migrate-invalid", path, ": the annotation is no JSON of kubelet settings", hint));
  }
  return { kubelet: settings(value), from: { resource, path }, given: value !== undefined };
}

/** Settings that say nothing are none. */
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

/** The class in the same folder, or else the only one of its name; the words say why there is none. */
function classOf(object: KarpenterObject, nodeClasses: readonly Resource[]): Found {
  const given = valueAt(object.resource.value, [...specPath(object), "nodeClassRef"]);
  const { group, kind, name } = object.version === "v1" ? fieldsOf(given) : refToV1(given);
  if (group !== KARPENTER_AWS_GROUP || kind !== "EC2NodeClass") {
    const message = `: the kubelet settings cannot be moved: it refers to the ${String(kind)} ${String(name)} of ${String(group)}`;
    return { message, hint: "anp knows where an EC2NodeClass has them; move them by hand" };
  }
  const named = nodeClasses.filter((one) => one.name === name);
  const near = named.filter(({ folder }) => folder === object.resource.folder);
  const [only, ...others] = near.length > 0 ? near : named;
  const start = `: the kubelet settings cannot be moved: the EC2NodeClass ${String(name)} is`;
  if (only === undefined)
    return { message: `${start} not in the input`, hint: "give it as well: v1 has the kubelet settings there" };
  if (others.length === 0) return { value: only, message: "" };
  return { message: `${start} in the input more than once`, hint: "migrate the manifests of one cluster at a time" };
}

/** The group that most pools are in comes first; of equal ones the one with the first name. */
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

function obstacles(nodeClass: Resource, name: string, taken: ReadonlySet<string>): Finding[] {
  const split = ": its pools have different kubelet settings, so it is split";
  if (taken.has(name)) {
    const hint = `rename the other ${name}`;
    return [
      noteOn(nodeClass, "migrate-refused", ["metadata", "name"], `${split}, and the name ${name} is taken`, hint),
    ];
  }
  if (name.length <= MAX_NAME) return [];
  const message = `${split}, and the name ${name} is longer than the ${MAX_NAME} characters of a node's label`;
  return [noteOn(nodeClass, "migrate-refused", ["metadata", "name"], message, "shorten the name of the class or pool")];
}

/** Keys in order, so that two ways to write the same settings are one. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isFields(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => byBytes(a, b)))
      : typeof item === "bigint"
        ? String(item)
        : item,
  );
}
