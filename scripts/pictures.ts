/** `npm run pictures`: draws docs/pictures from anp's own output; look at them before you commit. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, Unavailable } from "./build-folder.ts";
import { dashboardPicture } from "./pictures/dashboard.ts";
import { pagePictures } from "./pictures/page-pictures.ts";

const FOLDER = join(ROOT, "docs/pictures");

write("dashboard.svg", dashboardPicture());
try {
  for (const [name, bytes] of await pagePictures()) write(name, bytes);
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`the pages are not drawn: ${error.message}`);
  process.exitCode = 1;
}

function write(name: string, content: string | Buffer): void {
  const file = join(FOLDER, name);
  writeFileSync(file, content);
  console.log(`docs/pictures/${name}: ${statSync(file).size} bytes`);
}
