/** A Chromium of the machine's own, driven without a download; where there is none, the reason why nothing is tested. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Undefined where the machine has none: `ANP_CHROMIUM` names one elsewhere. */
export const chromiumPath = [process.env["ANP_CHROMIUM"] ?? "", ...PLACES].find(
  (path) => path !== "" && existsSync(path),
);

/** What the run says instead of testing. */
export const NO_CHROMIUM = `no Chromium: none of ${PLACES.join(", ")} is there, and ANP_CHROMIUM names none (apt-get install chromium)`;

export async function startChromium(): Promise<Browser> {
  // Root has no sandbox in containers, and what is opened are our own files.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: chromiumPath!, args });
}
