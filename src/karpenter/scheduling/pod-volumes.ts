/** What volumes of a pod ask of its node: by claims, volumes and storage classes of the input. */
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { nodeSelectorTermSchema, type PodSpec } from "../../model/objects/pod.ts";
import { check } from "../../model/schema/validate.ts";
import { requirementOf } from "../requirements/requirement.ts";
import { goTogether } from "../requirements/requirements.ts";
import type { AttachedVolume, PodEntry, PodVolumes } from "./pod-requests.ts";

const KINDS: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: "",
  PersistentVolume: "",
  StorageClass: "storage.k8s.io",
};

/** Whether it decides on the volumes of pods. */
export function isStorage({ apiVersion, kind }: Pick<Resource, "apiVersion" | "kind">): boolean {
  return Object.hasOwn(KINDS, kind) && KINDS[kind] === groupOf(apiVersion);
}

export interface Storage {
  /** By kind, namespace and name. */
  readonly objects: ReadonlyMap<string, Resource>;
  /** The kinds of which every object of the cluster is among them. */
  readonly whole: ReadonlySet<string>;
}

export function storageOf(resources: readonly Resource[], whole: ReadonlySet<string> = new Set()): Storage {
  const all = resources.filter(isStorage).map((resource): [string, Resource] => {
    const namespace = resource.kind === "PersistentVolumeClaim" ? resource.namespace : "";
    return [idOf(resource.kind, resource.name, namespace), resource];
  });
  return { objects: new Map(all), whole };
}

/** An object in a file may leave out its namespace. */
function idOf(kind: string, name: string, namespace = "default"): string {
  return `${kind} ${namespace}/${name}`;
}

interface Pod {
  readonly resource: Resource;
  readonly path: FieldPath;
  readonly spec: PodSpec;
}

/** Karpenter tries each combination, so hostile inputs could have any number. */
const MOST_ALTERNATIVES = 1000;

/** `GetRequirements` and `ValidatePersistentVolumeClaims` (docs/upstream/karpenter.md#volumes). */
export function podVolumes(pod: Pod, storage: Storage): PodVolumes {
  const claims = claimsOf(pod, storage);
  const found = claims.map((claim) => volumeOf(claim, storage));
  const missing = found.flatMap((one) => ("missing" in one ? [one.missing] : []));
  const refusal = found.find((one) => "refusal" in one)?.refusal;
  let alternatives: readonly (readonly PodEntry[])[] = [[]];
  for (const one of found) {
    if (!("terms" in one) || one.terms.length === 0) continue;
    if (alternatives.length * one.terms.length > MOST_ALTERNATIVES) {
      missing.push(`volumes: they can be combined in more than ${MOST_ALTERNATIVES} ways`);
      break;
    }
    const all = alternatives.flatMap((before) => one.terms.map((term) => [...before, ...term]));
    const possible = all.filter(isPossible);
    alternatives = possible.length > 0 ? possible : all;
  }
  const attached = claims.flatMap((claim): AttachedVolume[] => {
    const driver = driverOf(claim, storage);
    return driver === undefined ? [] : [{ driver, claim: claim.name, isOfPod: claim.resource === pod.resource }];
  });
  return { alternatives, attached, refusal, missing };
}

/** `ResolveDriver` (pkg/scheduling/volumeusage.go); undefined if the volume counts against no limit, or is unknown. */
function driverOf({ value }: Claim, storage: Storage): string | undefined {
  if (value === undefined) return undefined;
  const bound = valueAt(value, ["spec", "volumeName"]);
  if (typeof bound === "string" && bound !== "") {
    const volume = storage.objects.get(idOf("PersistentVolume", bound, ""))?.value;
    const isOfEbs = (valueAt(volume, ["spec", "awsElasticBlockStore"]) ?? undefined) !== undefined;
    return textAt(volume, ["spec", "csi", "driver"]) ?? (isOfEbs ? IN_TREE["kubernetes.io/aws-ebs"] : undefined);
  }
  const asked = valueAt(value, ["spec", "storageClassName"]) ?? undefined;
  if (asked === "") return undefined;
  const storageClass =
    asked === undefined ? defaultClass(storage) : storage.objects.get(idOf("StorageClass", String(asked), ""));
  const provisioner = textAt(storageClass?.value, ["provisioner"]);
  return provisioner === undefined ? undefined : (IN_TREE[provisioner] ?? provisioner);
}

/** The drivers of plugins that were part of Kubernetes (k8s.io/csi-translation-lib, translate.go). */
const IN_TREE: Readonly<Partial<Record<string, string>>> = {
  "kubernetes.io/aws-ebs": "ebs.csi.aws.com",
  "kubernetes.io/azure-disk": "disk.csi.azure.com",
  "kubernetes.io/azure-file": "file.csi.azure.com",
  "kubernetes.io/cinder": "cinder.csi.openstack.org",
  "kubernetes.io/gce-pd": "pd.csi.storage.gke.io",
  "kubernetes.io/portworx-volume": "pxd.portworx.com",
  "kubernetes.io/vsphere-volume": "csi.vsphere.vmware.com",
};

function isPossible(entries: readonly PodEntry[]): boolean {
  return entries.every(({ requirement }, index) =>
    entries
      .slice(0, index)
      .every(({ requirement: other }) => other.key !== requirement.key || goTogether(other, requirement)),
  );
}

/** A claim of the pod: one of the cluster, or one that its template makes. */
interface Claim {
  /** Its own name, or that of its template. */
  readonly name: string;
  /** Undefined if it is not among the inputs. */
  readonly value: unknown;
  readonly resource: Resource;
  readonly path: FieldPath;
}

function claimsOf({ resource, path, spec }: Pod, storage: Storage): Claim[] {
  const templates = valueAt(resource.value, ["spec", "volumeClaimTemplates"]);
  const ofTemplates = (Array.isArray(templates) ? templates : []).map((value: unknown, index): Claim => {
    const name = String(valueAt(value, ["metadata", "name"]));
    return { name, value, resource, path: ["spec", "volumeClaimTemplates", index] };
  });
  const ofVolumes = (spec.volumes ?? []).flatMap((volume, index): Claim[] => {
    const at = [...path, "volumes", index];
    const template = volume.ephemeral ?? undefined;
    const isClaim = (volume.persistentVolumeClaim ?? undefined) !== undefined;
    if (!isClaim && template === undefined) return [];
    const name = isClaim
      ? String(valueAt(volume, ["persistentVolumeClaim", "claimName"]))
      : `${resource.name}-${String(valueAt(volume, ["name"]))}`;
    const claim = storage.objects.get(idOf("PersistentVolumeClaim", name, resource.namespace));
    if (claim !== undefined) return [{ name, value: claim.value, resource: claim, path: ["metadata", "name"] }];
    return [{ name, value: valueAt(template, ["volumeClaimTemplate"]), resource, path: at }];
  });
  return [...ofVolumes, ...ofTemplates];
}

type Volume =
  /** Any of them; none if the volume may be anywhere. */
  { readonly terms: readonly (readonly PodEntry[])[] } | { readonly refusal: string } | { readonly missing: string };

function volumeOf(claim: Claim, storage: Storage): Volume {
  const { name, value } = claim;
  const missing = (what: string): Volume => ({ missing: `volume ${name}: ${what}` });
  const refused = (why: string): Volume => ({ refusal: `PersistentVolumeClaim ${name}: ${why}` });
  const isGone = (kind: string): boolean => storage.whole.has(kind);
  if (!isStorage(claim.resource) && isGone("PersistentVolumeClaim")) return refused("persistentvolumeclaim not found");
  if (value === undefined) return missing("its PersistentVolumeClaim is not among the inputs");
  // A file describes a claim that is not created yet. Only a cluster knows its phase.
  const phase = valueAt(value, ["status", "phase"]);
  const isLive = phase !== undefined;
  if ((valueAt(value, ["metadata", "deletionTimestamp"]) ?? undefined) !== undefined)
    return refused("persistentvolumeclaim is being deleted");
  if (phase === "Lost") return refused("persistentvolumeclaim bound to non-existent persistentvolume");
  const bound = valueAt(value, ["spec", "volumeName"]);
  if (typeof bound === "string" && bound !== "") {
    const volume = storage.objects.get(idOf("PersistentVolume", bound, ""));
    const isBound = valueAt(value, ["metadata", "annotations", "pv.kubernetes.io/bind-completed"]) !== undefined;
    if (isLive && !isBound)
      return refused(
        "pvc is considered unbound because it does not contain annotation pv.kubernetes.io/bind-completed",
      );
    if (volume === undefined)
      return isGone("PersistentVolume")
        ? refused(`persistentvolume ${bound} not found`)
        : missing(`PersistentVolume ${bound} is not among the inputs`);
    if ((valueAt(volume.value, ["metadata", "deletionTimestamp"]) ?? undefined) !== undefined)
      return refused("persistentvolume is being deleted");
    return termsOfVolume(claim, volume) ?? missing(`the node affinity of PersistentVolume ${bound} cannot be read`);
  }
  const asked = valueAt(value, ["spec", "storageClassName"]) ?? undefined;
  if (asked === "") return isLive ? refused("unbound pvc must define a storage class") : missing("it is not bound yet");
  const storageClass =
    asked === undefined ? defaultClass(storage) : storage.objects.get(idOf("StorageClass", String(asked), ""));
  if (storageClass === undefined) {
    const what = asked === undefined ? "the default StorageClass" : `StorageClass ${String(asked)}`;
    return isGone("StorageClass")
      ? refused(`failed to get storage class, ${what} not found`)
      : missing(`${what} is not among the inputs`);
  }
  if (valueAt(storageClass.value, ["volumeBindingMode"]) !== "WaitForFirstConsumer") {
    const { name: of } = storageClass;
    return isLive
      ? refused(`pvc with immediate volume binding mode must be bound (StorageClass ${of})`)
      : missing(`StorageClass ${of} binds it at once, in a zone that is not known yet`);
  }
  return termsOfClass(claim, storageClass) ?? missing(`StorageClass ${storageClass.name} cannot be read`);
}

function defaultClass(storage: Storage): Resource | undefined {
  const IS_DEFAULT = ["metadata", "annotations", "storageclass.kubernetes.io/is-default-class"];
  return [...storage.objects.values()].find(
    ({ kind, value }) => kind === "StorageClass" && valueAt(value, IS_DEFAULT) === "true",
  );
}

const HOSTNAME = "kubernetes.io/hostname";

/** Undefined if it is malformed. */
function termsOfVolume({ name }: Claim, volume: Resource): Volume | undefined {
  const at = ["spec", "nodeAffinity", "required", "nodeSelectorTerms"];
  const list = valueAt(volume.value, at) ?? [];
  if (!Array.isArray(list)) return undefined;
  const isOfNode = ["local", "hostPath"].some(
    (field) => (valueAt(volume.value, ["spec", field]) ?? undefined) !== undefined,
  );
  const terms: (readonly PodEntry[])[] = [];
  for (const [index, given] of list.entries()) {
    const { value } = check(nodeSelectorTermSchema, given);
    if (value === undefined) return undefined;
    const all = (value.matchExpressions ?? []).map(({ key, operator, values }, place): PodEntry => {
      const path = [...at, index, "matchExpressions", place];
      return { field: `volume ${name}`, path, resource: volume, requirement: requirementOf({ key, operator, values }) };
    });
    // The volume of another node: the pod loses it anyway.
    const kept = all.filter(({ requirement: { key } }) => !isOfNode || key !== HOSTNAME);
    if (kept.length > 0 || all.length > 0) terms.push(kept);
  }
  return { terms };
}

/** Undefined if it is malformed. */
function termsOfClass({ name }: Claim, storageClass: Resource): Volume | undefined {
  const list = valueAt(storageClass.value, ["allowedTopologies"]) ?? [];
  if (!Array.isArray(list)) return undefined;
  const terms: (readonly PodEntry[])[] = [];
  for (const [index, term] of list.entries()) {
    const expressions: unknown = valueAt(term, ["matchLabelExpressions"]) ?? [];
    if (!Array.isArray(expressions)) return undefined;
    const entries: PodEntry[] = [];
    for (const [place, one] of expressions.entries()) {
      const [key, values] = [valueAt(one, ["key"]), valueAt(one, ["values"])];
      if (typeof key !== "string" || !Array.isArray(values)) return undefined;
      const path = ["allowedTopologies", index, "matchLabelExpressions", place];
      const requirement = requirementOf({ key, operator: "In", values: values.map(String) });
      entries.push({ field: `volume ${name}`, path, resource: storageClass, requirement });
    }
    if (entries.length > 0) terms.push(entries);
  }
  return { terms };
}
