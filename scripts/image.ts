/** `npm run image`: builds the container images in build/image, as an OCI layout. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildBinary } from "./binary/build-binary.ts";
import { TARGETS } from "./binary/targets.ts";
import { buildFolder, ROOT, Unavailable } from "./build-folder.ts";
import { commit } from "./commit.ts";
import { buildImages, type Executable } from "./image/build-images.ts";
import { IMAGES } from "./image/images.ts";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const executables: Executable[] = [];
execFileSync(process.execPath, ["scripts/build.ts"], { cwd: ROOT, stdio: "inherit" });
try {
  for (const target of TARGETS.filter(({ platform }) => platform === "linux")) {
    try {
      executables.push({ target, path: await buildBinary(target, buildFolder("binary")) });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      console.log(`${target.name}: not in the images: ${error.message}`);
    }
  }
  if (executables.length === 0) throw new Unavailable("there is no executable for Linux");
  buildImages(executables, { version, ...commit() }, join(ROOT, "build/image"));
  const names = executables.map(({ target }) => target.name).join(", ");
  for (const { name } of IMAGES) console.log(`${name}:${version} for ${names}: oci:build/image:${name}:${version}`);
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`no images are built: ${error.message}`);
  process.exitCode = 1;
}
