/** Reads the policies and wrappers of the fixtures, with the file of each. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { readSources } from "../../../src/krm/read/read.ts";
import type { Resource } from "../../../src/krm/places/resource.ts";
import { GROUP } from "./own-crds.ts";

const FIXTURES = fileURLToPath(new URL("../../../fixtures", import.meta.url));

const SERVED = [
  `${GROUP}/v1beta1 AutoNodePolicy`,
  `${GROUP}/v1beta1 OpenshiftNodePool`,
  `${GROUP}/v1 OpenshiftEC2NodeClass`,
];

/** Only kinds of anp's CRDs. Files that cannot be read have no objects. */
export function fixtureObjects(): { file: string; resource: Resource }[] {
  const folders = readdirSync(join(FIXTURES, "cases"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === "in")
    .map((entry) => join(entry.parentPath, entry.name));
  const paths = [join(FIXTURES, "quickstart"), ...folders.toSorted()];
  const sources = readSources({ paths, readStdin: () => Buffer.alloc(0) });
  return parseSources(sources.value)
    .value.filter(({ apiVersion, kind }) => SERVED.includes(`${apiVersion} ${kind}`))
    .map((resource) => ({ file: relative(FIXTURES, resource.document.source.file), resource }));
}
