/** Finds values that the API server accepts and that make Karpenter fail or panic. */
import { EACH, type FieldPath, type FieldPattern, valuesAt } from "../../krm/places/field-path.ts";
import type { Words } from "../../krm/findings/finding.ts";
import { parseGoDuration } from "../../model/values/go-duration.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { isEndlessQuantity, parseQuantity } from "../../model/values/quantity.ts";

export interface FatalValue extends Words {
  readonly path: FieldPath;
}

/**
 * The patterns of Karpenter's CRDs accept more than Go's parsers for the same fields. The API server stores such a
 * value. One object that cannot be decoded fails the whole list of an informer (client-go, tools/cache/reflector.go).
 * A value that the provider parses with resource.MustParse panics in every reconcile. In both cases no pool of the
 * cluster gets nodes any more.
 */
export function fatalValuesOf(object: KubeObject, profile: Profile): FatalValue[] {
  if (object.kind === "NodePool") return fatalInPool(object);
  // Since 1.15 a condition of the class reports invalid settings (provider: ValidateKubeletConfig).
  return object.kind === "EC2NodeClass" && profile !== "karpenter-1.15" ? fatalInClass(object) : [];
}

type Fatal = (text: string) => Words | undefined;

function fatalInPool(object: KubeObject): FatalValue[] {
  const template: FieldPath = ["spec", "template", "spec"];
  const disruption: FieldPath = ["spec", "disruption"];
  return [
    ...at(object, [...template, "expireAfter"], durationOrNever),
    ...at(object, [...template, "terminationGracePeriod"], duration("NodePool")),
    ...at(object, [...template, "taints", EACH, "timeAdded"], moment),
    ...at(object, [...template, "startupTaints", EACH, "timeAdded"], moment),
    ...at(object, [...disruption, "consolidateAfter"], durationOrNever),
    ...at(object, [...disruption, "budgets", EACH, "duration"], duration("NodePool")),
    ...at(object, ["spec", "limits", EACH], quantity("cannot list the NodePools of the cluster any more")),
  ];
}

/** Settings that the provider parses (pkg/providers/instancetype/types.go, NewInstanceType). */
function fatalInClass(object: KubeObject): FatalValue[] {
  const panics = quantity("panics whenever it computes the instance types of a pool");
  const threshold: Fatal = (text) => (text.endsWith("%") ? undefined : panics(text));
  const kubelet: FieldPath = ["spec", "kubelet"];
  return [
    ...at(object, [...kubelet, "systemReserved", EACH], panics),
    ...at(object, [...kubelet, "kubeReserved", EACH], panics),
    // It does not parse other signals and soft thresholds.
    ...at(object, [...kubelet, "evictionHard", "memory.available"], threshold),
    ...at(object, [...kubelet, "evictionHard", "nodefs.available"], threshold),
    ...at(object, [...kubelet, "evictionSoftGracePeriod", EACH], duration("EC2NodeClass")),
  ];
}

const LONGEST = "2562047h";

/** NillableDuration (pkg/apis/v1/duration.go) and metav1.Duration both use time.ParseDuration. */
function duration(kind: string): Fatal {
  return (text) =>
    parseGoDuration(text) === undefined
      ? {
          message: `is ${shown(text)}, a duration that Karpenter cannot parse (292 years at most): it then cannot list any ${kind} of the cluster`,
          hint: `write ${LONGEST} at most`,
        }
      : undefined;
}

const durationOrNever: Fatal = (text) => {
  const words = text === "Never" ? undefined : duration("NodePool")(text);
  return words && { ...words, hint: `write Never, or ${LONGEST} at most` };
};

/** metav1.Time requires strict RFC 3339; the API server accepts more. */
const moment: Fatal = (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? undefined
    : {
        message: `is ${shown(text)}, a time that Karpenter cannot parse: it then cannot list any NodePool of the cluster`,
        hint: "write it as 2006-01-02T15:04:05Z, or leave it out",
      };

function quantity(consequence: string): Fatal {
  return (text) => {
    if (parseQuantity(text) === undefined)
      return {
        message: `is ${shown(text)}, a quantity that the API server accepts and Karpenter cannot parse: it then ${consequence}`,
        hint: "write a number with at most one unit, such as 500m, 1.5 or 64Gi",
      };
    if (!isEndlessQuantity(text)) return undefined;
    return {
      message: `is ${shown(text)}, a number of more than 1000 digits, on which Karpenter hangs or panics`,
      hint: "write a smaller number, or leave it out",
    };
  };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

/** Checks the strings at a pattern; the CRD validates anything else. */
function at(object: KubeObject, pattern: FieldPattern, fatal: Fatal): FatalValue[] {
  return valuesAt(object, pattern).flatMap(({ path, value }) => {
    const words = typeof value === "string" ? fatal(value) : undefined;
    return words === undefined ? [] : [{ path, ...words }];
  });
}
