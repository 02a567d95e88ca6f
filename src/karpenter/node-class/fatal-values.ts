/** Finds values that the API server takes and that end Karpenter. */
import { EACH, type FieldPath, type FieldPattern, valuesAt } from "../../krm/field-path.ts";
import type { Words } from "../../krm/finding.ts";
import { parseGoDuration } from "../../model/go-duration.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { Profile } from "../../model/profile.ts";
import { isEndlessQuantity, parseQuantity } from "../../model/quantity.ts";

export interface FatalValue extends Words {
  readonly path: FieldPath;
}

/**
 * The patterns of Karpenter's CRDs are wider than what Go's parsers behind its types read. A value between the two is
 * stored, and one object that cannot be decoded fails the whole list that an informer asks for (client-go,
 * tools/cache/reflector.go); what the provider reads with resource.MustParse panics in every pass. Either way no pool
 * gets a node any more, whoever's it is.
 */
export function fatalValuesOf(object: KubeObject, profile: Profile): FatalValue[] {
  if (object.kind === "NodePool") return fatalInPool(object);
  // From 1.15 on a condition of the class tells of settings that cannot be read (provider: ValidateKubeletConfig).
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
    ...at(object, ["spec", "limits", EACH], quantity("reads no NodePool of the cluster any more")),
  ];
}

/** What the provider computes of the kubelet's settings (pkg/providers/instancetype/types.go, NewInstanceType). */
function fatalInClass(object: KubeObject): FatalValue[] {
  const panics = quantity("panics whenever it works out the instance types of a pool");
  const threshold: Fatal = (text) => (text.endsWith("%") ? undefined : panics(text));
  const kubelet: FieldPath = ["spec", "kubelet"];
  return [
    ...at(object, [...kubelet, "systemReserved", EACH], panics),
    ...at(object, [...kubelet, "kubeReserved", EACH], panics),
    // Of the other signals, and of the soft ones, it computes nothing.
    ...at(object, [...kubelet, "evictionHard", "memory.available"], threshold),
    ...at(object, [...kubelet, "evictionHard", "nodefs.available"], threshold),
    ...at(object, [...kubelet, "evictionSoftGracePeriod", EACH], duration("EC2NodeClass")),
  ];
}

const LONGEST = "2562047h";

/** NillableDuration (pkg/apis/v1/duration.go) and metav1.Duration: both ask time.ParseDuration. */
function duration(kind: string): Fatal {
  return (text) =>
    parseGoDuration(text) === undefined
      ? {
          message: `is ${shown(text)}, no duration that Karpenter can read, which holds 292 years at most: it then reads no ${kind} of the cluster any more`,
          hint: `write ${LONGEST} at most`,
        }
      : undefined;
}

const durationOrNever: Fatal = (text) => {
  const words = text === "Never" ? undefined : duration("NodePool")(text);
  return words && { ...words, hint: `write Never, or ${LONGEST} at most` };
};

/** metav1.Time asks for RFC 3339 to the letter; the API server takes more. */
const moment: Fatal = (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? undefined
    : {
        message: `is ${shown(text)}, no time that Karpenter reads: it then reads no NodePool of the cluster any more`,
        hint: "write it as 2006-01-02T15:04:05Z, or leave it out",
      };

function quantity(consequence: string): Fatal {
  return (text) => {
    if (parseQuantity(text) === undefined)
      return {
        message: `is ${shown(text)}, which the API server takes for a quantity and Karpenter cannot read: it then ${consequence}`,
        hint: "write a number with at most one unit, such as 500m, 1.5 or 64Gi",
      };
    if (!isEndlessQuantity(text)) return undefined;
    return {
      message: `is ${shown(text)}, a number of more than 1000 digits, with which Karpenter never gets done or panics`,
      hint: "write a smaller number, or leave it out",
    };
  };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

/** The strings at the places of a pattern; anything else is for the CRD to judge. */
function at(object: KubeObject, pattern: FieldPattern, fatal: Fatal): FatalValue[] {
  return valuesAt(object, pattern).flatMap(({ path, value }) => {
    const words = typeof value === "string" ? fatal(value) : undefined;
    return words === undefined ? [] : [{ path, ...words }];
  });
}
