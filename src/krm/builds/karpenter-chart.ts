/** What an umbrella chart sets for Karpenter's own chart. */
import type { Source } from "../places/source.ts";
import { fieldsOf, listOf } from "../values/fields.ts";
import type { Chart } from "./chart.ts";
import { valueIn } from "./whole-file.ts";

/**
 * The settings as the HelmRelease that says the same, of which answers read the feature gates; none if the chart does not
 * depend on Karpenter's.
 *
 * @param more files of values, each stronger than those before it
 */
export function releaseOfKarpenter(chart: Chart, more: readonly Source[]): Source[] {
  const dependencies = listOf(fieldsOf(valueIn(chart.top))["dependencies"]).map(fieldsOf);
  const dependency = dependencies.find(({ name }) => name === KARPENTER);
  if (dependency === undefined) return [];
  const key = typeof dependency["alias"] === "string" ? dependency["alias"] : KARPENTER;
  const files = [chart.textAt("values.yaml"), ...more].flatMap((file) => file ?? []);
  const all = files.map((file) => fieldsOf(fieldsOf(fieldsOf(valueIn(file))[key])["settings"]));
  const settings: Record<string, unknown> = Object.assign({}, ...all);
  for (const name of ["featureGates", "awsFeatureGates"])
    settings[name] = Object.assign({}, ...all.map((one) => fieldsOf(one[name])));
  const text = JSON.stringify({
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    metadata: { name: KARPENTER },
    spec: { chart: { spec: { chart: KARPENTER } }, values: { settings } },
  });
  const origin = () => ({ source: chart.top, offset: 0 });
  return [{ ...chart.top, explicit: false, text, built: chart.top.folder, origin }];
}

const KARPENTER = "karpenter";
