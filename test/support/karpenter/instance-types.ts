/** Creates the instance types of the kwok provider for tests: kwok's own, with AWS labels and GPU types. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readKarpenterFile } from "./module.ts";
import { goProgram, programOfKarpenter } from "../go/programs.ts";

const run = promisify(execFile);

/** In the format of kwok's instance_types.json. */
interface KwokType {
  readonly name: string;
  readonly resources: Readonly<Record<string, string>>;
  readonly offerings: readonly { readonly Requirements: readonly Entry[] }[];
}

interface Entry {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const AWS = "karpenter.k8s.aws";

/**
 * A copy of another type with this many GPUs. No zone offers them in both capacity types: one offering must meet all
 * requirements.
 */
const GPU_TYPES = [
  { name: "g-8x-amd64-linux", from: "m-8x-amd64-linux", gpus: "1" },
  { name: "g-16x-amd64-linux", from: "m-16x-amd64-linux", gpus: "4" },
];

const GPU = "nvidia.com/gpu";

const OFFERED = ["on-demand in test-zone-a", "spot in test-zone-b"];

/**
 * Kwok has no optional labels and none of AWS's, which anp's verdicts depend on. It treats the labels of its offerings
 * as well-known.
 */
export async function writeInstanceTypes(folder: string): Promise<string> {
  const own = JSON.parse(await readKarpenterFile("kwok/cloudprovider/instance_types.json")) as KwokType[];
  const added = GPU_TYPES.map(({ name, from, gpus }) => {
    const original = own.find((type) => type.name === from);
    if (original === undefined) throw new Error(`kwok has no ${from}`);
    const offerings = original.offerings.filter(({ Requirements }) => isOffered(Requirements));
    return withLabels({ ...original, name, offerings, resources: { ...original.resources, [GPU]: gpus } }, gpus);
  });
  const path = join(folder, "instance-types.json");
  await writeFile(path, JSON.stringify([...own.map((type) => withLabels(type)), ...added]));
  return path;
}

/** The instance types as Karpenter builds them from the file: JSON that anp reads as a catalogue. */
export async function printedCatalogue(instanceTypesFile: string): Promise<string> {
  const program = await goProgram(programOfKarpenter("karpenter"));
  const env = { ...process.env, INSTANCE_TYPES_FILE_PATH: instanceTypesFile };
  const { stdout } = await run(program, ["instance-types"], { env, maxBuffer: 2 ** 26 });
  return stdout;
}

function isOffered(requirements: readonly Entry[]): boolean {
  const valueOf = (key: string) => requirements.find((entry) => entry.key === key)?.values?.join();
  return OFFERED.includes(`${valueOf("karpenter.sh/capacity-type")} in ${valueOf("topology.kubernetes.io/zone")}`);
}

function withLabels(type: KwokType, gpus?: string): KwokType {
  const gpuCount = `${AWS}/instance-gpu-count`;
  const labels: Entry[] = [
    { key: `${AWS}/instance-cpu`, operator: "In", values: [type.resources["cpu"] ?? ""] },
    { key: `${AWS}/instance-category`, operator: "In", values: [type.name.slice(0, 1)] },
    // The AWS provider does the same for a type without GPUs.
    gpus === undefined
      ? { key: gpuCount, operator: "DoesNotExist" }
      : { key: gpuCount, operator: "In", values: [gpus] },
  ];
  const offerings = type.offerings.map((offering) => ({
    ...offering,
    Requirements: [...offering.Requirements, ...labels],
  }));
  return { ...type, offerings };
}
