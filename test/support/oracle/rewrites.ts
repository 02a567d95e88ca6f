/** Generates changes of several keys at once, over the types of `launches.ts`: rewrites and others. */
import type { Effect } from "../../../src/analyze/diff/change-effect.ts";

/** Entries as `cpu Gt 3`; those of the table in `instance-types.ts`, and instance labels by their own names. */
export type Rewrite = readonly [from: readonly string[], to: readonly string[], effect: Effect];

export const REWRITES: readonly Rewrite[] = [
  [["instance-cpu Gt 3"], ["instance-size NotIn medium,large"], "none"],
  [["instance-cpu Gt 2"], ["instance-size In xlarge,2xlarge,4xlarge,12xlarge"], "none"],
  [["instance-cpu Gt 8"], ["instance-gpu-count Exists"], "none"],
  [["instance-gpu-count Exists"], ["instance-category In g"], "none"],
  [["instance-category In g"], ["instance-gpu-manufacturer In nvidia"], "none"],
  [["instance-gpu-count DoesNotExist"], ["instance-category NotIn g"], "none"],
  [["kubernetes.io/arch In arm64"], ["instance-cpu-manufacturer In aws"], "none"],
  [["kubernetes.io/arch In arm64"], ["instance-family In c6g,m6g"], "none"],
  [["kubernetes.io/arch In amd64"], ["instance-cpu-manufacturer NotIn aws"], "none"],
  [["instance-hypervisor In nitro"], ["instance-encryption-in-transit-supported In true"], "none"],
  [["instance-hypervisor In nitro"], ["instance-family NotIn m4"], "none"],
  [["instance-capability-flex In true"], ["instance-family In m7i-flex"], "none"],
  [["topology.kubernetes.io/zone In us-east-1a"], ["topology.kubernetes.io/zone NotIn us-east-1b"], "none"],
  [["instance-memory Gt 16384"], ["instance-cpu Gt 4"], "none"],
  [["instance-memory Gt 16384"], ["instance-cpu Gte 4"], "new-nodes"],
  [["kubernetes.io/arch In arm64"], ["instance-cpu-manufacturer In aws,intel"], "new-nodes"],
  [["instance-hypervisor In nitro"], ["instance-cpu Gte 1"], "new-nodes"],
  [["instance-family In m5,m6g"], ["instance-category In m"], "new-nodes"],
  [["instance-cpu Gt 3"], ["instance-size NotIn medium,large,xlarge"], "replaces-some"],
  [["instance-category In m"], ["kubernetes.io/arch In amd64"], "replaces-some"],
  [["instance-gpu-count Exists"], ["instance-local-nvme Gt 700"], "replaces-some"],
  [["kubernetes.io/arch In arm64"], ["instance-family In m5"], "replaces-all"],
  [["instance-category In g"], ["instance-gpu-count DoesNotExist"], "replaces-all"],
  [["instance-family In m5,m6g"], ["kubernetes.io/arch In amd64", "instance-family In m6g"], "replaces-all"],
  [["example.com/team In a", "instance-cpu Gt 8"], ["example.com/team In a", "instance-gpu-count Exists"], "none"],
  [
    ["example.com/team In a", "instance-cpu Gt 8"],
    ["example.com/team In b", "instance-gpu-count Exists"],
    "replaces-all",
  ],
];
