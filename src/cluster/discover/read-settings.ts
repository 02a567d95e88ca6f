/** The settings of one hosted cluster: a ConfigMap in, fields or what is wrong out. */
import { load } from "js-yaml";
import { quotedField } from "../../krm/field-path.ts";
import { type Fields, isFields } from "../../krm/fields.ts";
import { type ClusterSettings, clusterSettingsSchema } from "../../model/cluster-settings.ts";
import { check } from "../../model/validate.ts";
import type { LiveObject } from "../api/live-object.ts";

/**
 * Of the ConfigMap in the namespace of the hosted control plane, where nobody of the guest cluster writes. An annotation
 * of the HostedControlPlane would not do: HyperShift wipes those that it does not know
 * (docs/upstream/hypershift.md#hosted-control-planes).
 */
export const SETTINGS_NAME = "anp-watch-settings";
const SETTINGS_KEY = "settings.yaml";

export interface ReadSettings {
  readonly value: ClusterSettings;
  /** In one line; the cluster is left as it is until it has been set right. */
  readonly problem: string | undefined;
}

/** Half of what somebody said is not what that person said: settings with a slip are none at all. */
export function readSettings(configMap: LiveObject): ReadSettings {
  const where = `ConfigMap ${configMap.metadata.namespace}/${configMap.metadata.name}`;
  const refused = (words: string): ReadSettings => ({ value: {}, problem: `${where} is not used: ${words}` });
  const { data } = configMap as { data?: unknown };
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
  const { value, violations } = check(clusterSettingsSchema(), fields);
  if (value !== undefined && violations.length === 0) return { value, problem: undefined };
  const [first] = violations;
  const hint = first?.hint === undefined ? "" : ` (${first.hint})`;
  return refused(
    first === undefined ? "it holds no fields" : `${quotedField(first.path)} ${first.message}${hint}`.trimStart(),
  );
}
