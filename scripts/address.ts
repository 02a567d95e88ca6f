/** `npm run address -- URL`: states the address of the repository in package.json and on all pages. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./build-folder.ts";
import { pagesWithAddress, PLACEHOLDER, statedAddress, whyNoAddress, withAddress } from "./release/address.ts";

const [address = ""] = process.argv.slice(2);
const problem = whyNoAddress(address);
if (problem !== undefined) {
  console.error(`npm run address -- URL: ${problem}`);
  process.exit(2);
}
const before = statedAddress() ?? PLACEHOLDER;
rewrite("package.json", (text) =>
  text
    .replace(/^  "repository": .*\n/m, "")
    .replace(/^  "license": .*\n/m, (line) => `${line}  "repository": "${address}",\n`),
);
for (const page of pagesWithAddress()) rewrite(page, (text) => withAddress(text, before, address));

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(ROOT, file);
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  if (changed === text) return;
  writeFileSync(path, changed);
  console.log(file);
}
