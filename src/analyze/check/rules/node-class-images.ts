/** Rules: block devices and user data of EC2NodeClasses that do not fit their images. */
import {
  BOTTLEROCKET,
  BOTTLEROCKET_DATA,
  imageFamiliesOf,
  imageFamilyOf,
  ROOT_DEVICES,
} from "../../../karpenter/node-class/root-device.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { listOf } from "../../../krm/values/fields.ts";
import { nameOfFamily } from "../../../model/ec2/ami.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { rawClasses } from "../checked-classes.ts";

const MAPPINGS: FieldPath = ["spec", "blockDeviceMappings"];
const USER_DATA: FieldPath = ["spec", "userData"];

/** A mapping of another device is an additional volume (docs/upstream/karpenter.md#root-device). */
export function imageDeviceUnmapped(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) => {
    const device = storageDeviceOf(resource.value);
    const names = listOf(valueAt(resource.value, MAPPINGS)).map((mapping) => valueAt(mapping, ["deviceName"]));
    const index = names.findIndex((name) => name !== undefined);
    if (device === undefined || index === -1 || names.includes(device)) return [];
    if (valueAt(resource.value, ["spec", "instanceStorePolicy"]) === "RAID0") return [];
    const family = imageFamilyOf(resource.value);
    const other = JSON.stringify(names[index]);
    const message =
      family === BOTTLEROCKET
        ? `blockDeviceMappings has no ${device}, where Bottlerocket keeps images, logs and the files of pods: they get the default of the image`
        : `blockDeviceMappings has no ${device}, the root device of ${nameOfFamily(family)}: the root volume keeps the size of the image, and ${other} is an additional volume that nothing mounts`;
    const hint =
      family === BOTTLEROCKET ? `add a mapping of ${device}` : `write deviceName: ${device}, or add a mapping of it`;
    return finding(resource, [...MAPPINGS, index, "deviceName"], { code: "image-device-unmapped", message, hint });
  });
}

/** What nodeadm and cloud-init do with user data: docs/upstream/karpenter.md#user-data. Its text is never quoted. */
export function userDataUnfit(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) => {
    const family = imageFamilyOf(resource.value);
    const text = valueAt(resource.value, USER_DATA);
    if (typeof text !== "string" || (family !== "al2" && family !== "al2023")) return [];
    const said = { code: "user-data-unfit", hint: "write `userData: |`, and the lines below it" } as const;
    if (isOneLine(text))
      return finding(resource, USER_DATA, {
        ...said,
        message: "userData is one line: YAML joins the lines of a text without `|`, so a script does not run",
      });
    if (family !== "al2023" || !text.includes("/etc/eks/bootstrap.sh")) return [];
    return finding(resource, USER_DATA, {
      ...said,
      message: "userData calls /etc/eks/bootstrap.sh, which images of AL2023 do not have: nodeadm configures the node",
      hint: "remove the call, and write its settings as a NodeConfig of node.eks.aws/v1alpha1",
    });
  });
}

/** Karpenter adds nothing to the user data of custom images (docs/upstream/karpenter.md#user-data). */
export function customImageBootstrap(cluster: ExplainedCluster): Finding[] {
  return rawClasses(cluster).flatMap((resource) => {
    if (imageFamiliesOf(resource.value).field !== "custom") return [];
    const text = valueAt(resource.value, USER_DATA);
    const code = "custom-image-bootstrap";
    if (typeof text !== "string" || text === "")
      return finding(resource, ["spec", "amiFamily"], {
        code,
        message:
          "amiFamily Custom without userData: Karpenter adds none, so nodes join only if the image does it alone",
        hint: "set userData, or the image family",
      });
    if (text.includes("karpenter.sh/unregistered")) return [];
    return finding(resource, USER_DATA, {
      code,
      message:
        "userData of amiFamily Custom does not register the taint karpenter.sh/unregistered:NoExecute: pods may start on a node before Karpenter has set its labels and taints",
      hint: "pass --register-with-taints=karpenter.sh/unregistered=:NoExecute to the kubelet",
    });
  });
}

/** The device whose volume pods share. Undefined without an alias: other images may have another root device. */
function storageDeviceOf(nodeClass: unknown): string | undefined {
  const { alias } = imageFamiliesOf(nodeClass);
  return imageFamilyOf(nodeClass) === BOTTLEROCKET ? BOTTLEROCKET_DATA.deviceName : ROOT_DEVICES.get(alias ?? "");
}

/** Neither a NodeConfig in JSON nor several lines. */
function isOneLine(text: string): boolean {
  const trimmed = text.trim();
  return trimmed !== "" && !trimmed.includes("\n") && !trimmed.startsWith("{");
}

interface Said {
  readonly code: "image-device-unmapped" | "user-data-unfit" | "custom-image-bootstrap";
  readonly message: string;
  readonly hint: string;
}

function finding(resource: Resource, path: FieldPath, { code, message, hint }: Said): Finding[] {
  return [findingAt(code, resource, path, { message: `${describeResource(resource)}: ${message}`, hint })];
}
