/** Starts a control plane with a real Karpenter on kwok, and reads kwok's catalogue. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "../controlplane/control-plane.ts";
import { printedCatalogue, writeInstanceTypes } from "../karpenter/instance-types.ts";
import { createNodeClass } from "../karpenter/pools.ts";
import { type Karpenter, startKarpenter } from "../karpenter/start-karpenter.ts";

export interface LaunchRig {
  readonly karpenter: Karpenter;
  /** The file of kwok's instance types, as a catalogue of anp. */
  readonly catalogue: string;
  /** A folder for files. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

export async function startLaunchRig(): Promise<LaunchRig> {
  const folder = await mkdtemp(join(tmpdir(), "anp-launched-"));
  const instanceTypes = await writeInstanceTypes(folder);
  const catalogue = join(folder, "catalogue.json");
  await writeFile(catalogue, await printedCatalogue(instanceTypes));
  const controlPlane = await startControlPlane();
  const karpenter = await startKarpenter(controlPlane, instanceTypes);
  await createNodeClass(controlPlane);
  const stop = async (): Promise<void> => {
    await karpenter.stop();
    await controlPlane.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { karpenter, catalogue, folder, stop };
}
