/** Which conditions of a node are unhealthy, and how long Karpenter waits to repair it. */
import type { Profile } from "../../model/crds/profile.ts";

interface RepairPolicy {
  /** Of the condition. */
  readonly type: string;
  readonly status: "False" | "Unknown";
  /** Milliseconds from the beginning of the condition to the repair. @param reason of the condition */
  readonly toleration: (reason: string) => number;
}

const MINUTE = 60_000;

/** GPU faults that Karpenter repairs sooner. */
const KNOWN_FAULT = /XID(?:46|48|54|62|63|64|74|79|95|109|110|119|120|136|140|143|155|156|158)/;

const OTHERS = ["StorageReady", "NetworkingReady", "KernelReady", "ContainerRuntimeReady"];

/** Those of the AWS provider (docs/upstream/karpenter.md#repair). */
export function repairPolicies(profile: Profile): readonly RepairPolicy[] {
  const slow = (): number => 30 * MINUTE;
  const ofFault = (reason: string): number =>
    profile !== "karpenter-1.15" || KNOWN_FAULT.test(reason) ? 10 * MINUTE : slow();
  return [
    { type: "Ready", status: "False", toleration: slow },
    { type: "Ready", status: "Unknown", toleration: slow },
    { type: "AcceleratedHardwareReady", status: "False", toleration: ofFault },
    ...OTHERS.map((type): RepairPolicy => ({ type, status: "False", toleration: slow })),
  ];
}
