/** Reads the settings of one hosted cluster from a ConfigMap. */
import { createHash } from "node:crypto";
import { load } from "js-yaml";
import { quotedField } from "../../krm/places/field-path.ts";
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { measureValue, roomBeside } from "../../krm/parse/input-limits.ts";
import { MAX_DEPTH } from "../../krm/yaml/yaml-options.ts";
import { type ClusterSettings, clusterSettingsSchema } from "../../model/settings/watch-config.ts";
import { check } from "../../model/schema/validate.ts";
import type { LiveObject } from "../api/live-object.ts";

/**
 * The name of the ConfigMap in the namespace of the hosted control plane, which users of the guest cluster cannot write.
 * An annotation of the HostedControlPlane would not last: HyperShift removes unknown ones
 * (docs/upstream/hypershift.md#hosted-control-planes).
 */
export const SETTINGS_NAME = "anp-watch-settings";
const SETTINGS_KEY = "settings.yaml";

/** The settings are kept and compared as JSON. Real settings are a hundredth of this size. */
const LONGEST_KIB = 256;

export interface ReadSettings {
  readonly value: ClusterSettings;
  /** In one line. The cluster is not changed until the settings are corrected. */
  readonly problem: string | undefined;
  /** A hash of the ConfigMap's data. */
  readonly print: string;
}

/** For a cluster without settings. */
export const NO_SETTINGS: ReadSettings = { value: {}, problem: undefined, print: "" };

/** Invalid settings are not used at all: a part of them may mean something else than the whole. */
export function readSettings(configMap: LiveObject): ReadSettings {
  const where = `ConfigMap ${configMap.metadata.namespace}/${configMap.metadata.name}`;
  const { data } = configMap as { data?: unknown };
  const print = createHash("sha256")
    .update(JSON.stringify(data) ?? "")
    .digest("hex");
  const refused = (words: string): ReadSettings => ({ value: {}, problem: `${where} is not used: ${words}`, print });
  const entries: Fields = isFields(data) ? data : {};
  const other = Object.keys(entries).find((key) => key !== SETTINGS_KEY);
  if (other !== undefined) return refused(`it has the key ${other}, and anp reads ${SETTINGS_KEY}`);
  const text = entries[SETTINGS_KEY];
  if (typeof text !== "string") return refused(`it has no ${SETTINGS_KEY}`);
  let fields: unknown;
  try {
    fields = load(text) ?? {};
  } catch (error) {
    return refused(`${SETTINGS_KEY} is not YAML: ${(error as Error).message.split("\n")[0] ?? ""}`);
  }
  const large = whyTooLarge(fields);
  if (large !== undefined) return refused(`${SETTINGS_KEY} ${large}`);
  const { value, violations } = check(clusterSettingsSchema(), fields);
  if (value !== undefined && violations.length === 0) return { value, problem: undefined, print };
  const [first] = violations;
  const hint = first?.hint === undefined ? "" : ` (${first.hint})`;
  return refused(
    first === undefined ? "it holds no fields" : `${quotedField(first.path)} ${first.message}${hint}`.trimStart(),
  );
}

/** With nested YAML aliases, a few hundred bytes can expand to more than the memory. */
function whyTooLarge(value: unknown): string | undefined {
  if (measureValue(value).depth > MAX_DEPTH)
    return `is nested deeper than ${MAX_DEPTH} levels when its aliases are followed`;
  if (roomBeside(value, LONGEST_KIB * 1024) < 0)
    return `is larger than ${LONGEST_KIB} KiB when its aliases are followed`;
  return undefined;
}
