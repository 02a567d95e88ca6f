/** Reads an OpenshiftNodePool for rendering: its valid spec and the labels of its nodes. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { memoizeByKey } from "../model/schema/memoize.ts";
import { type OpenshiftNodePool, openshiftNodePoolSchema } from "../model/pools/openshift-node-pool.ts";
import type { Profile } from "../model/crds/profile.ts";
import { MOVED_OF_POOL_WRAPPER } from "../model/schema/moved-fields.ts";
import { validate } from "../model/schema/validate.ts";
import { type AppliedBound, boundPool } from "./bound-pool.ts";
import type { Origin } from "./origin.ts";
import { withoutReservedKeys } from "./reserved-keys.ts";
import { placeOfNodeLabel, type Settings } from "./settings.ts";

export interface NodePoolWrapper {
  /** The spec within the bounds of the RenderConfig. */
  readonly spec: OpenshiftNodePool["spec"];
  /** The spec as written. */
  readonly given: OpenshiftNodePool["spec"];
  readonly bounds: readonly AppliedBound[];
  /** Origins of the fields that bounds have changed. */
  readonly boundOrigins: readonly Origin[];
  /** The template's labels with the forced labels, sorted. */
  readonly labels: Readonly<Record<string, string>>;
  readonly labelOrigins: readonly Origin[];
  /** For a static pool, which a wrapper never is: its fixed number of nodes. */
  readonly replicas?: number | undefined;
}

const schemaOf = memoizeByKey((profile: Profile) => openshiftNodePoolSchema(profile));

/** Undefined if the wrapper is invalid. */
export function readNodePool(wrapper: Resource, settings: Settings): Outcome<NodePoolWrapper | undefined> {
  const options = {
    code: "wrapper-invalid",
    unknownField: "unknown-field",
    moved: MOVED_OF_POOL_WRAPPER,
  } as const;
  const kept = withoutReservedKeys(wrapper, settings);
  const valid = validate(schemaOf(settings.profile), kept.value, options);
  if (valid.value === undefined) return { value: undefined, findings: [...kept.findings, ...valid.findings] };
  const { spec: given } = valid.value;
  const labels = nodeLabels(wrapper, given.template.metadata?.labels, settings);
  const { spec, bounds, boundOrigins, findings } = boundPool(wrapper, given, settings);
  return {
    value: { spec, given, bounds, boundOrigins, labels: labels.value, labelOrigins: labels.origins },
    findings: [...kept.findings, ...valid.findings, ...labels.findings, ...findings],
  };
}

/** The user's template labels, overridden by the forced labels, sorted. */
function nodeLabels(wrapper: Resource, given: Readonly<Record<string, string>> = {}, settings: Settings) {
  const findings: Finding[] = [];
  const origins: Origin[] = [];
  for (const [key, value] of Object.entries(settings.nodeLabels)) {
    const output = ["spec", "template", "metadata", "labels", key];
    origins.push({ output, input: placeOfNodeLabel(settings, key) });
    const own = given[key];
    if (own === undefined || own === value) continue;
    const message = `${describeResource(wrapper)}: the node label ${key} is always "${value}" here, not "${own}"`;
    findings.push(
      findingAt("node-label-overridden", wrapper, output, { message, hint: "remove the label from the template" }),
    );
  }
  const merged = Object.entries({ ...given, ...settings.nodeLabels }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { value: Object.fromEntries(merged), findings, origins };
}
