/** Lists the content of a release as CycloneDX: bundled npm packages, and other components. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build-folder.ts";
import type { Component } from "./sbom-parts.ts";

interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  serialNumber: string;
  readonly metadata: Record<string, unknown> & { component: Component };
  components: Component[];
  dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * @param time seconds since 1970: the list is that of the commit, whenever it is made
 * @param others components of executables and images beside the bundles
 */
export function sbom(time: number, others: readonly Component[]): string {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const output = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const bom = JSON.parse(output) as Bom;
  const bundled = JSON.parse(readFileSync(join(ROOT, "dist/bundled.json"), "utf8")) as Component[];
  const wanted = new Set(bundled.map(idOf));
  const components = bom.components.filter((component) => wanted.has(idOf(component))).map(withoutScope);
  const found = new Set(components.map(idOf));
  const missing = [...wanted].filter((id) => !found.has(id));
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(", ")}, which is bundled`);
  const refs = new Set(components.map((component) => component["bom-ref"]));
  const top = bom.metadata.component["bom-ref"];
  // npm uses the name of the folder.
  const [name = ""] = top.split("@");
  bom.metadata.component = { ...bom.metadata.component, name };
  bom.components = [...components, ...others];
  const ofAnp = others.map((component) => component["bom-ref"]);
  bom.dependencies = [
    ...bom.dependencies
      .filter(({ ref }) => ref === top || refs.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: [...dependsOn.filter((other) => refs.has(other)), ...(ref === top ? ofAnp : [])],
      })),
    ...ofAnp.map((ref) => ({ ref, dependsOn: [] })),
  ];
  bom.metadata["timestamp"] = new Date(time * 1000).toISOString();
  bom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify([bom.components, time]))}`;
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

function idOf({ name, version }: Pick<Component, "name" | "version">): string {
  return `${name}@${version}`;
}

/** npm marks all of them as development dependencies, because none is installed with anp; they are in its bundles. */
function withoutScope({ scope: _scope, properties: _properties, ...component }: Component): Component {
  return { ...component, scope: "required" };
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
