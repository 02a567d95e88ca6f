/** CycloneDX components other than our bundles: node and Debian's libraries. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodePackage } from "../binary/node-package.ts";
import { NODE_VERSION, type Target } from "../binary/targets.ts";
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
