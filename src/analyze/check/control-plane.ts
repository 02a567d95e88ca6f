/** The OpenShift version of a hosted cluster's control plane, and whether it is being upgraded. */
import { valueAt } from "../../krm/places/field-path.ts";
import type { ExplainedCluster } from "../explain/explain.ts";

/** Of the HostedControlPlane, the HostedCluster or the RenderConfig; undefined if none has it. */
export function controlPlaneVersion({ bundle, inputs }: ExplainedCluster): string | undefined {
  const { hostedControlPlane, hostedClusterObject } = bundle;
  return [
    valueAt(hostedControlPlane?.value, ["status", "versionStatus", "desired", "version"]),
    valueAt(hostedClusterObject?.value, ["status", "version", "desired", "version"]),
    inputs.settings.config.hostedCluster?.version,
  ].find((version): version is string => typeof version === "string" && version !== "");
}

interface Upgrade {
  readonly from: string;
  readonly to: string;
}

/**
 * The upgrade that the control plane is in, as openshift/karpenter-operator decides it
 * (docs/upstream/hypershift.md#versions); undefined if none is known.
 */
export function controlPlaneUpgrade({ bundle }: ExplainedCluster): Upgrade | undefined {
  const at = (...path: (string | number)[]): unknown =>
    valueAt(bundle.hostedControlPlane?.value, ["status", "controlPlaneVersion", ...path]);
  const history = at("history");
  const place = Array.isArray(history) ? history.findIndex((entry) => valueAt(entry, ["state"]) === "Completed") : -1;
  const [from, to] = [at("history", place, "version"), at("desired", "version")];
  const [old, image] = [at("history", place, "image"), at("desired", "image")];
  if (typeof from !== "string" || typeof to !== "string" || old === image) return undefined;
  return { from, to };
}

/** OpenShift 5.0 is 4.23 under another number. */
const FIRST_OF_5 = 23;

/** The minor version in the count of 4.x; undefined for what is neither 4.x nor 5.x. */
export function minorOf(version: string): number | undefined {
  const [, major, minor] = /^([45])\.(\d{1,4})\./.exec(version) ?? [];
  return major === undefined ? undefined : Number(minor) + (major === "5" ? FIRST_OF_5 : 0);
}

/** The inverse: `4.22`, `5.0`. */
export function minorText(minor: number): string {
  return minor < FIRST_OF_5 ? `4.${minor}` : `5.${minor - FIRST_OF_5}`;
}
