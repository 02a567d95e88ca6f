/** Renders golden cases: their NodePools and EC2NodeClasses, and the profile. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments, stringify } from "yaml";
import { ANP_GROUP } from "../../../src/krm/findings/known-kinds.ts";
import { PROFILES, type Profile } from "../../../src/model/crds/profile.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { asStream, type GoldenCase, goldenCases, run } from "../golden/case.ts";
import { objectsIn } from "./own-crds.ts";

const QUICK_START = fileURLToPath(new URL("../../../fixtures/quickstart", import.meta.url));

export interface RenderedCase {
  readonly name: string;
  readonly profile: Profile;
  /** Without the admission policies. */
  readonly objects: readonly KubernetesObject[];
}

/** The unchanged cases that exit with 0, and the quick start. */
export async function renderedCases(): Promise<RenderedCase[]> {
  const rendered: RenderedCase[] = [];
  for (const { name, folder, args, exit } of goldenCases()) {
    if (exit !== 0 || args[0] !== "render") continue;
    rendered.push({ name, profile: profileOf(folder, args), objects: await render(folder, args) });
  }
  const objects = await render(QUICK_START, ["render", "provider", "users"]);
  return [...rendered, { name: "quickstart", profile: "hypershift", objects }];
}

/** The cases again, as a cluster of this profile needs them: with an instance profile. Only those that render. */
export async function renderedFor(profile: Profile): Promise<RenderedCase[]> {
  const rendered: RenderedCase[] = [];
  for (const golden of goldenCases()) {
    if (golden.exit !== 0 || !golden.stream || golden.args[0] !== "render") continue;
    const { exit, stdout } = await run(
      golden.folder,
      ["render", "-", "--profile", profile],
      withInstanceProfile(golden),
    );
    if (exit === 0) rendered.push({ name: golden.name, profile, objects: karpenters(stdout) });
  }
  return rendered;
}

async function render(folder: string, args: readonly string[]): Promise<KubernetesObject[]> {
  const { exit, stdout, stderr } = await run(folder, args);
  if (exit !== 0) throw new Error(`${folder}: exit ${exit}\n${stderr}`);
  return karpenters(stdout);
}

function karpenters(yaml: string): KubernetesObject[] {
  return objectsIn(yaml).filter(({ kind }) => kind === "NodePool" || kind === "EC2NodeClass");
}

function profileOf(folder: string, args: readonly string[]): Profile {
  const flag = args.indexOf("--profile");
  const configured = configs(folder).map((config) => config.spec?.["profile"]);
  const profile = flag === -1 ? (configured.find((value) => value !== undefined) ?? "hypershift") : args[flag + 1];
  const known = PROFILES.find((candidate) => candidate === profile);
  if (known === undefined) throw new Error(`${folder}: no profile ${String(profile)}`);
  return known;
}

function configs(folder: string): KubernetesObject[] {
  const files = readdirSync(join(folder, "in"), { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile() && entry.name.startsWith("config"))
    .flatMap((entry) => objectsIn(readFileSync(join(entry.parentPath, entry.name), "utf8")))
    .filter(({ kind }) => kind === "RenderConfig");
}

function withInstanceProfile({ folder }: GoldenCase): string {
  const objects = parseAllDocuments(asStream(folder)).map((document) => document.toJS() as KubernetesObject | null);
  const config = objects.find((object) => object?.kind === "RenderConfig");
  const spec = config?.spec ?? {};
  const hostedCluster = { ...(spec["hostedCluster"] as object | undefined), instanceProfile: "nodes" };
  const changed = { apiVersion: `${ANP_GROUP}/v1alpha1`, kind: "RenderConfig", spec: { ...spec, hostedCluster } };
  const others = objects.filter((object) => object !== config && object !== null);
  return [changed, ...others].map((object) => stringify(object)).join("---\n");
}
