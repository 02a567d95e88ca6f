/** Lists the content of a release as CycloneDX: bundled npm packages, node, Debian's libraries. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodePackage } from "../binary/node-package.ts";
import { NODE_VERSION, type Target } from "../binary/targets.ts";
import { ROOT } from "../build-folder.ts";
import { debianPackages, type Libraries } from "../debian-libraries.ts";

interface Hash {
  readonly alg: "SHA-256" | "SHA-512";
  readonly content: string;
}

export interface Component {
  readonly "bom-ref": string;
  readonly type?: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly purl?: string;
  readonly licenses?: readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[];
  readonly hashes?: readonly Hash[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly externalReferences?: readonly {
    readonly type: string;
    readonly url: string;
    readonly hashes?: readonly Hash[];
  }[];
  /** Its files. */
  readonly components?: readonly { readonly type: "file"; readonly name: string; readonly hashes: readonly Hash[] }[];
}

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

/** The node within the executable for a target: the hash is that of the file that the bundles are put into. */
export function nodeComponent(target: Target, { node, license }: NodePackage): Component {
  const integrity = Buffer.from(target.integrity.replace("sha512-", ""), "base64").toString("hex");
  const file = `${target.package}-${NODE_VERSION}.tgz`;
  return {
    "bom-ref": `node-${target.name}@${NODE_VERSION}`,
    type: "platform",
    name: "node",
    version: NODE_VERSION,
    scope: "required",
    licenses: [{ license: { id: "MIT" } }],
    purl: `pkg:npm/${target.package}@${NODE_VERSION}`,
    hashes: [sha256(node)],
    properties: [{ name: "anp:target", value: target.name }],
    externalReferences: [
      { type: "website", url: "https://nodejs.org/" },
      {
        type: "distribution",
        url: `https://registry.npmjs.org/${target.package}/-/${file}`,
        hashes: [{ alg: "SHA-512", content: integrity }],
      },
    ],
    // The licences of node and its parts, such as OpenSSL and ICU.
    components: [{ type: "file", name: "node-LICENSE", hashes: [sha256(license)] }],
  };
}

/** The packages with libraries in the images for an architecture. */
export function libraryComponents(arch: Target["arch"], libraries: Libraries): Component[] {
  return debianPackages(arch, libraries).map(({ name, version, arch: debianArch, licence, files }) => {
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${debianArch}`;
    return {
      "bom-ref": purl,
      type: "library",
      name,
      version,
      scope: "required",
      licenses: [{ expression: licence }],
      purl,
      properties: [{ name: "anp:images", value: `linux/${debianArch}` }],
      components: files.map((file) => ({ type: "file", name: file, hashes: [sha256(join(libraries.folder, file))] })),
    };
  });
}

function sha256(file: string): Hash {
  return { alg: "SHA-256", content: createHash("sha256").update(readFileSync(file)).digest("hex") };
}
