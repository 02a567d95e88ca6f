/** Converts kubelet settings of v1beta1 to the JSON of Karpenter's annotation, and back. */
import { KUBELET_SETTINGS } from "../../model/ec2/kubelet.ts";
import { formatGoDuration, parseGoDuration } from "../../model/values/go-duration.ts";
import { isKubelet } from "./malformed-field.ts";
import { type Fields, fieldsOf, isFields } from "../../krm/values/fields.ts";

const PERIODS = "evictionSoftGracePeriod";

/** As Go writes it: empty lists and mappings are omitted, mapping keys are sorted, durations are normalized. */
export function kubeletJson(kubelet: Fields): string {
  const settings = KUBELET_SETTINGS.map((name) => [name, kubelet[name]] as const).filter(
    ([, value]) => !isNothing(value),
  );
  const written = settings.map(([name, value]) => [name, isFields(value) ? sorted(value, name === PERIODS) : value]);
  return goJson(Object.fromEntries(written));
}

/** Undefined if the annotation is not JSON of kubelet settings, which makes Karpenter's conversion fail. */
export function kubeletOfJson(text: string): Fields | undefined {
  const value = parsed(text);
  if (value === null) return {};
  if (!isFields(value) || !isKubelet(value)) return undefined;
  const settings = fieldsOf(value);
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => (KUBELET_SETTINGS as readonly string[]).includes(name)),
  );
}

/** Go escapes characters that could end a script in an HTML page. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function sorted(map: Fields, durations: boolean): Fields {
  const entries = Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(durations ? entries.map(([key, value]) => [key, spelledOut(value)]) : entries);
}

function spelledOut(value: unknown): unknown {
  const duration = typeof value === "string" ? parseGoDuration(value) : undefined;
  return duration === undefined ? value : formatGoDuration(duration);
}
