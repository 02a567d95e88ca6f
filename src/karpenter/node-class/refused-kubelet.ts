/** Finds kubelet settings with which the AWS provider launches no node, or which it drops. */
import type { Words } from "../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { nameOfFamily } from "../../model/ec2/ami.ts";
import { KUBELET_SETTINGS } from "../../model/ec2/kubelet.ts";
import { acceptedKubelet, KUBELET_DURATIONS, kubeletFieldNames, RESERVATIONS } from "../../model/ec2/kubelet-fields.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { check } from "../../model/schema/validate.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { kubeletExpression } from "./kubelet-expression.ts";
import { failingType } from "./node-resources.ts";
import { BOTTLEROCKET, imageFamilyOf } from "./root-device.ts";

interface Setting extends Words {
  readonly path: FieldPath;
}

/** What decides on the settings of a class. */
export interface KubeletJudge {
  readonly profile: Profile;
  readonly karpenter?: KarpenterOptions | undefined;
  /** The types for which Karpenter evaluates expressions; undefined if they are not known. */
  readonly catalogue?: Catalogue | undefined;
}

const KUBELET: FieldPath = ["spec", "kubelet"];

/**
 * Since 1.15 the API server accepts any kubelet setting, and the provider validates them: after one mistake the class
 * is not ready (docs/upstream/karpenter.md#kubelet-settings-since-115).
 */
export function refusedKubelet(nodeClass: unknown, { profile, karpenter, catalogue }: KubeletJudge): Setting[] {
  if (profile !== "karpenter-1.15") return [];
  const settings = kubeletOf(nodeClass);
  const all = [
    ...invalidKubelet(settings),
    ...(karpenter?.gates.has("NodeClassCEL") === true
      ? wrongExpressions(nodeClass, settings, catalogue)
      : expressions(settings).map(withoutGate)),
    ...notApplied(nodeClass),
    ...unmanaged(nodeClass),
  ];
  return all.map(({ message, ...rest }) => ({
    ...rest,
    message: `${message}; the class does not become ready, and its pools get no nodes`,
  }));
}

/**
 * Up to 1.14 the provider drops these without a message. `spec.kubelet` has no other settings there, and all families
 * apply the others.
 */
export function droppedKubelet(nodeClass: unknown, { profile }: KubeletJudge): Setting[] {
  return profile === "karpenter-1.15" ? [] : notApplied(nodeClass);
}

function kubeletOf(nodeClass: unknown): Fields {
  const settings = valueAt(nodeClass, KUBELET);
  return isFields(settings) ? settings : {};
}

/** `ValidateKubeletConfig` (pkg/apis/v1/kubeletconfiguration_validation.go). Pools share a class. */
export const invalidKubelet = memoizeByObject((settings: Fields): Setting[] => {
  if (Object.keys(settings).length === 0) return [];
  const given = Object.entries(settings).filter(([field, value]) => value !== null || !acceptsNull(field));
  return check(acceptedKubelet(), Object.fromEntries(given)).violations.map(({ path, message, hint }) => ({
    path: [...KUBELET, ...path],
    message,
    hint,
  }));
});

/** Null counts as absent, except for types with a parser of their own. */
function acceptsNull(field: string): boolean {
  return kubeletFieldNames().has(field) && !KUBELET_DURATIONS.has(field) && field !== "registerWithTaints";
}

/** `HasExpressions` (pkg/apis/v1/kubeletconfiguration.go): any text that is no quantity. */
export function expressions(settings: Fields): { readonly path: FieldPath; readonly text: string }[] {
  const isExpression = (text: unknown): boolean => typeof text === "string" && parseQuantity(text) === undefined;
  const reserved = RESERVATIONS.flatMap((field) => {
    const amounts = settings[field];
    const texts = isFields(amounts) ? Object.entries(amounts) : [];
    return texts.filter(([, text]) => isExpression(text ?? "")).map(([resource]) => [field, resource]);
  });
  const pods = typeof settings["maxPods"] === "string" ? [["maxPods"]] : [];
  return [...pods, ...reserved].map((path) => ({
    path: [...KUBELET, ...path],
    text: String(valueAt(settings, path) ?? ""),
  }));
}

function withoutGate({ path, text }: { readonly path: FieldPath; readonly text: string }): Setting {
  return {
    path,
    message: "is an expression, which Karpenter evaluates only with the feature gate NodeClassCEL, off by default",
    hint: /^\d+$/.test(text)
      ? `write ${text} without quotes`
      : "write a number; if the gate is on, pass --karpenter-gates NodeClassCEL=true",
  };
}

/**
 * `validateKubeletExpressions`, and `ValidateKubeletExpressions` of pkg/providers/instancetype/instancetype.go: one
 * instance type without a value is enough, whether a pool uses it or not.
 */
function wrongExpressions(nodeClass: unknown, settings: Fields, catalogue: Catalogue | undefined): Setting[] {
  return expressions(settings).flatMap(({ path, text }): Setting[] => {
    const read = kubeletExpression(text);
    if ("unread" in read) return [];
    if ("invalid" in read)
      return [{ path, message: `is no expression that Karpenter evaluates: it ${read.invalid}`, hint: EXPRESSIONS }];
    const failed = catalogue && isFields(nodeClass) && failingType(catalogue, nodeClass, path.slice(KUBELET.length));
    if (failed === undefined || failed === false) return [];
    return [
      {
        path,
        message: `has no valid value for ${failed.type}: ${failed.reason}. Karpenter evaluates it for every instance type of the region`,
        hint: "use such as max(0, …), and a condition before a division",
      },
    ];
  });
}

const EXPRESSIONS =
  "write a CEL expression of vcpus, memory_mib, default_enis, ips_per_eni, max_pods and instance_type that gives a number";

/** Expressions with parts of CEL that anp does not evaluate, which count as if they were not set. */
export function unreadExpressions(nodeClass: unknown, { profile, karpenter }: KubeletJudge): Setting[] {
  if (profile !== "karpenter-1.15" || karpenter?.gates.has("NodeClassCEL") !== true) return [];
  return expressions(kubeletOf(nodeClass)).flatMap(({ path, text }): Setting[] => {
    const read = kubeletExpression(text);
    if (!("unread" in read)) return [];
    return [
      {
        path,
        message: `is an expression with ${read.unread}, which anp does not evaluate: what nodes of the class have is as if it were not set`,
        hint: "write it with numbers, variables, comparisons, ? :, min and max, if answers shall count it",
      },
    ];
  });
}

/** `validateKubeletFieldsSupported` (pkg/controllers/nodeclass/validation.go), of the settings that Karpenter manages. */
function notApplied(nodeClass: unknown): Setting[] {
  const family = partlyManaged(nodeClass);
  if (family === undefined) return [];
  const { podsPerCore, clusterDNS } = kubeletOf(nodeClass);
  const dropped: Setting[] = [];
  if ((podsPerCore ?? undefined) !== undefined && family === BOTTLEROCKET)
    dropped.push({
      path: [...KUBELET, "podsPerCore"],
      message: `has no effect, because ${nameOfFamily(family)} has no such setting`,
      hint: "remove it, or set maxPods",
    });
  if (Array.isArray(clusterDNS) && clusterDNS.length > 1)
    dropped.push({
      path: [...KUBELET, "clusterDNS"],
      message: `has ${clusterDNS.length} entries, and ${nameOfFamily(family)} takes only the first`,
      hint: "remove the others",
    });
  return dropped;
}

/** The same function, of the other settings. */
function unmanaged(nodeClass: unknown): Setting[] {
  const family = partlyManaged(nodeClass);
  if (family === undefined) return [];
  return Object.keys(kubeletOf(nodeClass))
    .filter((field) => kubeletFieldNames().has(field) && !MANAGED.has(field))
    .map((field) => ({
      path: [...KUBELET, field],
      message: `is a setting that Karpenter does not apply on ${nameOfFamily(family)}`,
      hint: "remove it, or use images of AL2023",
    }));
}

const MANAGED: ReadonlySet<string> = new Set(KUBELET_SETTINGS);

/** The image family, if Karpenter applies only some settings on it; `Custom` images have user data of their own. */
function partlyManaged(nodeClass: unknown): string | undefined {
  const family = imageFamilyOf(nodeClass);
  return family === "custom" || family === "al2023" ? undefined : family;
}
