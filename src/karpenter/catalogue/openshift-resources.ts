/** Computes what nodes have for pods as OpenShift's fork of Karpenter's AWS provider does. */
import type { Profile } from "../../model/crds/profile.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { Catalogue } from "./catalogue.ts";
import { EVICTION_MIB, memoryCapacity, millicoresText } from "./instance-type-resources.ts";
import { valuesOf } from "./type-filter.ts";

/**
 * The same instance types with the resources that the Karpenter of a profile plans for their nodes. A catalogue has
 * those of upstream (docs/upstream/hypershift.md#resources-of-a-node).
 */
export function typesOfProfile(catalogue: Catalogue, profile: Profile): Catalogue {
  return profile === "hypershift" ? openshiftTypes(catalogue) : catalogue;
}

/** Computed once for each catalogue. */
const openshiftTypes = memoizeByObject((catalogue: Catalogue): Catalogue => {
  const rows = catalogue.names.map((_name, type) => openshiftAllocatable(catalogue, type));
  const column = (name: keyof OpenshiftAllocatable): readonly [string, readonly (string | undefined)[]] => [
    name,
    rows.map((row, type) => row?.[name] ?? catalogue.allocatable.get(name)?.[type]),
  ];
  if (rows.every((row) => row === undefined)) return catalogue;
  return {
    ...catalogue,
    allocatable: new Map([...catalogue.allocatable, column("cpu"), column("memory"), column("pods")]),
  };
});

interface OpenshiftAllocatable {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: string;
}

/** The kubelet's number on OpenShift, whatever the network interfaces are. */
const PODS = "250";

/** Undefined for a type whose processor and memory the catalogue does not know. */
function openshiftAllocatable(catalogue: Catalogue, type: number): OpenshiftAllocatable | undefined {
  const count = (label: string): number => Number(valuesOf(catalogue, type, `karpenter.k8s.aws/instance-${label}`)[0]);
  const [vcpus, mebibytes] = [count("cpu"), count("memory")];
  if (!Number.isSafeInteger(vcpus) || !Number.isSafeInteger(mebibytes)) return undefined;
  const capacity = memoryCapacity(mebibytes, valuesOf(catalogue, type, "kubernetes.io/arch")[0]);
  return {
    cpu: millicoresText(vcpus * 1000 - systemReservedMillicores(vcpus)),
    memory: `${capacity - systemReservedGiB(capacity) * 1024 - EVICTION_MIB}Mi`,
    pods: PODS,
  };
}

/** In the fork's order of steps, which decides how they round. */
export function systemReservedMillicores(vcpus: number): number {
  const cores = 0.06 + (vcpus > 1 ? 0.012 * (vcpus - 1) : 0);
  return Math.max(500, Math.round((Math.round(cores * 100) / 100) * 1000));
}

/**
 * 6 % of what is above 8 GiB up to 128 GiB. Beyond that the fork takes 6 % of 112 GiB and 2 % of the rest, so a node of
 * 129 GiB reserves no more than one of 128 GiB.
 *
 * @param mebibytes the capacity, of which only whole GiB count
 */
export function systemReservedGiB(mebibytes: number): number {
  const above = Math.max(0, Math.floor(mebibytes / 1024) - 8);
  return Math.round(above <= 120 ? 1 + above * 0.06 : 7.72 + (above - 112) * 0.02);
}
