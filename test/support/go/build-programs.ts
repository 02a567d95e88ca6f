/** Builds the Go programs of a tier before its first test, outside of time limits, with progress messages. */
import type { TestProject } from "vitest/node";
import { goProgram, isBuilt, type ProgramName, usualMinutes } from "./programs.ts";
import { goVersion } from "./toolchain.ts";
import { isRecorded, RECORDING_MINUTES, recordedTables } from "../karpenter-tables/record.ts";

const OF_SERVERS: readonly ProgramName[] = [
  "controlplane-1.37",
  "karpenter-1.15",
  "oracle",
  "oracle-1.15",
  "oracle-scheduler",
  "oracle-scheduler-by-name",
  "oracle-v1beta1",
  "kustomize",
  "argocd",
];

/** By the name of the project in the configuration of Vitest. */
const NEEDED: Readonly<Record<string, readonly ProgramName[]>> = {
  servers: [
    ...OF_SERVERS,
    "tables-of-scheduling",
    "tables-of-provisioning",
    "tables-of-disruption",
    "helm",
    "helm-3",
    "kubectl",
    "krew",
    "validate-krew-manifest",
  ],
  "soak, short": OF_SERVERS,
  soak: [...OF_SERVERS, "karpenter", "oracle-provider", "oracle-provider-1.15"],
  "soak, older cluster": ["controlplane", "karpenter", "kustomize", "argocd", "kubectl"],
};

/** Vitest calls this before the first suite. @throws Error if Go is missing, with what to install */
export default async function buildPrograms({ name: tier }: TestProject): Promise<void> {
  await goVersion();
  const missing: ProgramName[] = [];
  for (const name of NEEDED[tier] ?? []) if (!(await isBuilt(name))) missing.push(name);
  const records: (keyof typeof RECORDING_MINUTES)[] = [];
  if (tier === "servers")
    for (const of of ["scheduler", "disruption"] as const) if (!(await isRecorded(of))) records.push(of);
  if (missing.length === 0 && records.length === 0) return;
  const recording = records.reduce((sum, of) => sum + RECORDING_MINUTES[of], 0);
  const minutes = missing.reduce((sum, name) => sum + usualMinutes(name), recording);
  console.log(`Go programs to build, once on this machine: ${missing.join(", ")}; about ${minutes} minutes`);
  for (const [index, name] of missing.entries()) {
    console.log(`building ${name}, ${index + 1} of ${missing.length}, about ${usualMinutes(name)} minutes`);
    const began = performance.now();
    await goProgram(name);
    console.log(`built ${name} in ${Math.round((performance.now() - began) / 1000)} s`);
  }
  for (const of of records) {
    console.log(`recording Karpenter's own tests of its ${of}, about ${RECORDING_MINUTES[of]} minutes`);
    // The suite that needs the record tries again, and says what is wrong.
    await recordedTables(of).catch((error: unknown) => console.log(String(error).slice(-2000)));
  }
}
