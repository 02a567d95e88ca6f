/** What becomes of the fields of an EC2NodeClass that no wrapper has. */
import type { Fields } from "../krm/fields.ts";
import { type Finding, findingAt, type Words } from "../krm/finding.ts";
import type { FindingCode } from "../krm/finding-codes.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { INSTANCE_PROFILE_ANNOTATION } from "../model/hosted-control-plane.ts";

interface Fate extends Words {
  readonly code: FindingCode;
}

const lossy = (message: string, hint?: string): Fate => ({ code: "adopt-lossy", message, hint });
const fromHyperShift = (message: string): Fate => ({ code: "adopt-from-hypershift", message });

const OTHER_PROFILE =
  "is left out: nodes get the hosted cluster's instance profile, and pods that live on the node's own permissions lose them";
const ASK_FOR_PROFILE = `give such pods a role of their own, or ask for the annotation ${INSTANCE_PROFILE_ANNOTATION} on the HostedCluster`;

/** Words that follow the field's name; undefined where nothing is lost. */
const FATES: Readonly<Record<string, (value: unknown) => Fate | undefined>> = {
  amiFamily: (family) => {
    if (family === "Custom") return undefined;
    return isWindows(family)
      ? windows(`is ${String(family)}`)
      : lossy(`${String(family)} is left out: nodes run RHCOS of the hosted cluster's release`, NOT_FOR_RHCOS);
  },
  amiSelectorTerms: (terms) => {
    const list = Array.isArray(terms) ? (terms as readonly unknown[]) : [];
    if (list.some((term) => isWindows((term as Fields | null)?.["alias"]))) return windows("selects Windows images");
    const words = "is left out: nodes start from the image of the hosted cluster's release";
    // HyperShift's operator writes ids alone (docs/upstream/hypershift.md#ec2nodeclass).
    const byId = list.every((term) => Object.keys((term ?? {}) as Fields).join() === "id");
    return byId ? fromHyperShift(words) : lossy(words, NOT_FOR_RHCOS);
  },
  userData: (text) => {
    const ignition = typeof text === "string" && /^\s*\{\s*"ignition"/.test(text);
    if (ignition) return fromHyperShift("is left out: HyperShift gives each node class its ignition");
    return lossy(
      "is left out: HyperShift gives each node class its ignition, and what the script does when a node starts is not done",
      "write settings of the kubelet in spec.kubelet, and do the rest in a DaemonSet",
    );
  },
  role: () => lossy(OTHER_PROFILE, ASK_FOR_PROFILE),
  instanceProfile: () => lossy(OTHER_PROFILE, ASK_FOR_PROFILE),
  context: () => lossy("is left out: requests to EC2 carry no context of their own"),
  networkInterfaces: () => lossy("is left out: nodes get one ordinary network interface, and none for EFA"),
  placementGroupSelector: () =>
    lossy("is left out: nodes are not put into the placement group, neither close together nor apart"),
  connectionTracking: () => lossy("is left out: idle connections end after the times that EC2 sets"),
  ipPrefixCount: () => lossy("is left out: network interfaces get no address prefixes"),
  cpuOptions: () => lossy("is left out: nodes cannot run virtual machines"),
  enclaveOptions: (options) =>
    (options as Fields | null)?.["enabled"] === true
      ? lossy("is left out: nodes cannot run Nitro enclaves")
      : undefined,
};

const NOT_FOR_RHCOS = "check that no pod expects another operating system";

/** No pod of such a pool could run on what HyperShift starts instead. */
function windows(what: string): Fate {
  const message = `${what}, and the nodes of a hosted cluster run RHCOS only: pods for Windows would find no node`;
  return { code: "adopt-refused", message, hint: "leave the class, and the pools that refer to it, out of the input" };
}

function isWindows(family: unknown): boolean {
  return typeof family === "string" && /^windows/i.test(family);
}

export interface SplitSpec {
  /** Without the foreign fields. */
  readonly spec: Fields;
  readonly findings: readonly Finding[];
}

/** No word about the user data quotes it. */
export function splitForeignFields(raw: Resource, given: Fields): SplitSpec {
  const findings: Finding[] = [];
  const spec: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const fateOf = Object.hasOwn(FATES, field) ? FATES[field] : undefined;
    if (fateOf === undefined) {
      spec[field] = value;
      continue;
    }
    const fate = value === null ? undefined : fateOf(value);
    if (fate === undefined) continue;
    const words = { message: `${describeResource(raw)}: spec.${field} ${fate.message}`, hint: fate.hint };
    findings.push(findingAt(fate.code, raw, ["spec", field], words, "key"));
  }
  return { spec, findings };
}
