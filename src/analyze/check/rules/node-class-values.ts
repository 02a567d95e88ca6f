/** Rules: values of node classes and pools that AWS refuses or overrides, or that clash. */
import { CAPACITY_TYPE } from "../../../model/requirements/label-keys.ts";
import { refusedVolume, type RefusedVolume } from "../../../karpenter/node-class/ebs-volume.ts";
import { blockDevicesOf, isRootMapping } from "../../../karpenter/node-class/root-device.ts";
import { RESERVATION_TERMS } from "../../../karpenter/provider/aws.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { fieldsOf, isFields, listOf } from "../../../krm/values/fields.ts";
import { parseGoDuration } from "../../../model/values/go-duration.ts";
import { wholeGiB } from "../../../model/values/volume-size.ts";
import { ownEntries } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { rawClasses } from "../checked-classes.ts";

/** Both are names, and not checked by the CRD (docs/upstream/karpenter.md#instance-profiles). */
const IAM_NAMES = {
  role: "Karpenter compares it with the name of the role in its instance profile, finds them different, and makes a new instance profile each time it reconciles the class",
  instanceProfile: "EC2 takes it for the name of an instance profile, and refuses to start nodes",
};

export function iamNameInvalid(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) =>
    Object.entries(IAM_NAMES).flatMap(([field, then]) => {
      const value = valueAt(resource.value, ["spec", field]);
      if (typeof value !== "string" || !value.includes("/")) return [];
      const what = value.startsWith("arn:") ? "an ARN" : "a path";
      const message = `${describeResource(resource)}: ${field} is ${what} instead of a name: ${then}`;
      const name = value.slice(value.lastIndexOf("/") + 1);
      const hint = name === "" ? "write the name alone" : `write ${field}: ${name}`;
      return [findingAt("iam-name-invalid", resource, ["spec", field], { message, hint })];
    }),
  );
}

/** The tags that installers of Karpenter and of EKS put on what belongs to one cluster. */
export function discoveryTagsDiffer(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) => {
    const [subnets, groups] = ["subnetSelectorTerms", "securityGroupSelectorTerms"].map((field) =>
      discovered(resource.value, ["spec", field]),
    );
    const [first] = groups!;
    if (first === undefined || subnets!.length === 0) return [];
    const names = new Set(subnets!.map(({ name }) => name));
    if (groups!.some(({ name }) => names.has(name))) return [];
    const message = `${describeResource(resource)}: the security groups are those of cluster ${first.name}, and the subnets those of ${[...names].join(" and ")}: in different VPCs EC2 starts no node, and in one VPC the groups of another cluster decide who reaches the nodes`;
    return [
      findingAt("discovery-tags-differ", resource, first.path, {
        message,
        hint: "select both by the tag of the node's own cluster",
      }),
    ];
  });
}

interface Discovered {
  readonly name: string;
  readonly path: FieldPath;
}

function discovered(nodeClass: unknown, path: FieldPath): Discovered[] {
  return listOf(valueAt(nodeClass, path)).flatMap((term, index) => {
    const value = valueAt(term, ["tags", DISCOVERY]);
    if (typeof value !== "string" || value === "" || value.includes("*")) return [];
    return [{ name: value, path: [...path, index, "tags", DISCOVERY] }];
  });
}

const DISCOVERY = "karpenter.sh/discovery";

/** Karpenter passes the values on, and EC2 refuses the launch template or the launch. Wrappers: when they are rendered. */
export function volumeRefused(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) =>
    blockDevicesOf(resource.value).flatMap((mapping, index) => {
      const ebs = valueAt(mapping, ["ebs"]);
      if (!isFields(ebs)) return [];
      const { volumeType, volumeSize, iops, throughput, encrypted, kmsKeyID } = ebs;
      const volume = {
        type: typeof volumeType === "string" ? volumeType : undefined,
        gib: typeof volumeSize === "string" ? wholeGiB(volumeSize).size : undefined,
        iops: typeof iops === "number" ? iops : undefined,
        throughput: typeof throughput === "number" ? throughput : undefined,
        encrypted: typeof encrypted === "boolean" ? encrypted : undefined,
        kmsKeyID: typeof kmsKeyID === "string" ? kmsKeyID : undefined,
        root: isRootMapping(mapping),
      };
      const { deviceName } = fieldsOf(mapping);
      const name = typeof deviceName === "string" ? deviceName : String(index);
      return refusedVolume(volume).map(({ field, message: why, hint }) => {
        const path = ["spec", "blockDeviceMappings", index, "ebs", VOLUME_FIELDS[field]];
        const message = `${describeResource(resource)}: EC2 refuses the volume ${name}, and no node starts: ${why}`;
        return findingAt("volume-refused", resource, path, { message, hint });
      });
    }),
  );
}

const VOLUME_FIELDS: Readonly<Record<RefusedVolume["field"], string>> = {
  type: "volumeType",
  gib: "volumeSize",
  iops: "iops",
  throughput: "throughput",
  kmsKeyID: "kmsKeyID",
};

/** Only reserved capacity is taken from reservations (docs/upstream/karpenter.md#capacity-types). */
export function reservationsUnused(cluster: ExplainedCluster): Finding[] {
  const withPools = Map.groupBy(cluster.explanations, ({ pool }) => pool.nodeClass);
  return [...withPools].flatMap(([nodeClass, explanations]) => {
    if (nodeClass === undefined) return [];
    const path: FieldPath = ["spec", RESERVATION_TERMS];
    if (listOf(valueAt(nodeClass.value, path)).length === 0) return [];
    const isUsed = explanations.some(
      ({ requirements }) =>
        !requirements.some(({ key, effective }) => key === CAPACITY_TYPE && !has(effective, "reserved")),
    );
    if (isUsed) return [];
    const names = explanations.map(({ pool }) => pool.name);
    const who = names.length === 1 ? `pool ${names[0]} does not admit` : `none of its ${names.length} pools admits`;
    const message = `${describeResource(nodeClass)} selects capacity reservations, and ${who} reserved capacity: you pay for reservations that stay unused`;
    const hint = `add reserved to the values of ${CAPACITY_TYPE} in a pool`;
    return [findingAt("reservations-unused", nodeClass, path, { message, hint })];
  });
}

/** A pool for reserved capacity alone gets no nodes, which is reported as such. */
export function reservationsAbsent({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap((pool) => {
    const { nodeClass, wrapper } = pool;
    if (nodeClass === undefined || listOf(valueAt(nodeClass.value, ["spec", RESERVATION_TERMS])).length > 0) return [];
    const entry = ownEntries(pool).find(
      ({ requirement: { key, complement, values } }) => key === CAPACITY_TYPE && !complement && values.has("reserved"),
    );
    if (entry === undefined || entry.requirement.values.size === 1) return [];
    const message = `${describeResource(wrapper)} admits reserved capacity, and ${describeResource(nodeClass)} selects no capacity reservation: its nodes use none`;
    const hint = `add ${RESERVATION_TERMS} to the class, or remove reserved`;
    return [findingAt("reservations-absent", entry.place.resource, entry.place.path, { message, hint })];
  });
}

/** See docs/upstream/karpenter.md#eks-auto-mode. */
const AUTO_MODE_HOURS = 21n * 24n;

/** EKS Auto Mode ends its nodes itself. */
export function autoModeLifetime({ pools, provider }: ExplainedCluster): Finding[] {
  if (provider.name !== "eks-auto") return [];
  return pools.flatMap(({ wrapper, spec: { template } }) => {
    const { expireAfter } = template.spec;
    const age = expireAfter === undefined || expireAfter === "Never" ? undefined : parseGoDuration(expireAfter);
    const isWithin = age !== undefined && age <= AUTO_MODE_HOURS * HOUR;
    if (expireAfter === undefined || isWithin) return [];
    const message = `${describeResource(wrapper)} has expireAfter ${expireAfter}, and EKS Auto Mode ends each node after 21 days (${AUTO_MODE_HOURS}h): budgets do not delay that`;
    const hint = `write ${AUTO_MODE_HOURS}h or less`;
    return [findingAt("expire-after-bounded", wrapper, ["spec", "template", "spec", "expireAfter"], { message, hint })];
  });
}

const HOUR = 3600n * 10n ** 9n;

/** The API server removes it (docs/upstream/karpenter.md#crds). */
export function namespaceIgnored({ mode, bundle }: ExplainedCluster): Finding[] {
  if (mode !== "raw") return [];
  return [...bundle.nodePools, ...bundle.nodeClasses]
    .filter(({ namespace }) => namespace !== undefined)
    .map((resource) => {
      const message = `${describeResource(resource)}: objects of its kind belong to no namespace: two with this name are one object, and a Role does not grant access to it`;
      return findingAt("namespace-ignored", resource, ["metadata", "namespace"], { message, hint: "remove it" });
    });
}
