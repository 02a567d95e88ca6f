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
  const records = tier === "servers" && !(await isRecorded());
  if (missing.length === 0 && !records) return;
  const minutes = missing.reduce((sum, name) => sum + usualMinutes(name), records ? RECORDING_MINUTES : 0);
  console.log(`Go programs to build, once on this machine: ${missing.join(", ")}; about ${minutes} minutes`);
  for (const [index, name] of missing.entries()) {
    console.log(`building ${name}, ${index + 1} of ${missing.length}, about ${usualMinutes(name)} minutes`);
    const began = performance.now();
    await goProgram(name);
    console.log(`built ${name} in ${Math.round((performance.now() - began) / 1000)} s`);
  }
  if (!records) return;
  console.log(`recording Karpenter's own tests of its scheduler, about ${RECORDING_MINUTES} minutes`);
  // The suite that needs the record tries again, and says what is wrong.
  await recordedTables().catch((error: unknown) => console.log(String(error).slice(-2000)));
}
