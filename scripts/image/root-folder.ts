/** Makes the file system of an image: an executable, its libraries, and files that a process needs. */
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodePackage } from "../binary/node-package.ts";
import type { Target } from "../binary/targets.ts";
import { ROOT } from "../build-folder.ts";
import { debianLibraries } from "../debian-libraries.ts";

const FILES: Readonly<Record<string, string>> = {
  "etc/passwd": [
    "root:x:0:0:root:/:/nonexistent",
    "argocd:x:999:999:argocd:/home/argocd:/nonexistent",
    "nobody:x:65534:65534:nobody:/tmp:/nonexistent",
    "anp:x:65532:65532:anp:/tmp:/nonexistent",
    "",
  ].join("\n"),
  "etc/group": "root:x:0:\nargocd:x:999:\nnogroup:x:65534:\nanp:x:65532:\n",
  // As in every distribution: /etc/hosts first.
  "etc/nsswitch.conf": "hosts: files dns\n",
};

/** @throws Unavailable */
export function makeRootFolder(target: Target, binary: string, folder: string): void {
  const { folder: libraries, packages } = debianLibraries(target.arch);
  for (const name of readdirSync(libraries).filter((entry) => entry !== "packages.txt"))
    cpSync(join(libraries, name), join(folder, name), { recursive: true });
  put(join(folder, "usr/bin/anp"), (path) => cpSync(binary, path));
  const licences = join(folder, "usr/share/doc/anp");
  put(join(licences, "LICENSE"), (path) => cpSync(join(ROOT, "LICENSE"), path));
  put(join(licences, "licenses.txt"), (path) => cpSync(join(ROOT, "dist/licenses.txt"), path));
  put(join(licences, "node-LICENSE"), (path) => cpSync(nodePackage(target).license, path));
  put(join(licences, "debian-packages.txt"), (path) => writeFileSync(path, `${packages.join("\n")}\n`));
  for (const [path, text] of Object.entries(FILES)) put(join(folder, path), (file) => writeFileSync(file, text));
  mkdirSync(join(folder, "tmp"));
  chmodSync(join(folder, "tmp"), 0o1777);
}

function put(path: string, write: (path: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  write(path);
}
