/** A test covers each way of installation in docs/install.md that needs no network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLACEHOLDER, statedAddress } from "../../../scripts/release/address.ts";
import { blocksOf, readPage, REPOSITORY } from "../../support/docs/page.ts";
import { INSTALL_PAGE } from "../../support/docs/install.ts";

interface Way {
  /** The command of the page, or the target of a row of the table. */
  readonly what: string;
  readonly file: string;
  /** The name of the test, or a part of it. */
  readonly test: string;
}

const EXECUTABLE = { file: "test/suites/binary/install.test.ts", test: "is installed as its page says" };
const ELSEWHERE = { file: "test/suites/binary/install.test.ts", test: "is not made if it cannot be tried" };
const PACKAGE = { file: "test/suites/package/install.test.ts", test: "is installed as its page says" };
const CLONE = { file: "test/suites/package/install.test.ts", test: "renders, as its page says" };
/** Without skopeo and a registry: the names are those of the release, and the layout is read as both read it. */
const IMAGES = { file: "test/suites/soak/image.test.ts", test: "are there for every architecture" };
const IMAGE_NAMES = { file: "test/suites/release/release.test.ts", test: "is copied to a registry as the page says" };
const PLUGIN = { file: "test/suites/release/release.test.ts", test: "is installed from the archive, with its licence" };
const FORMULA = { file: "test/suites/release/release.test.ts", test: "installs the executable for the machine" };
const ACTION = { file: "test/suites/release/action.test.ts", test: "with an executable for the runner is installed" };
const HOOK = { file: "test/suites/ci/pre-commit.test.ts", test: "is the program that the package installs" };
const COMPLETION = { file: "test/suites/completion/shells.test.ts", test: "is a script that its shell reads" };

const TYPED: readonly Way[] = [
  { what: "sha256sum --check --ignore-missing SHA256SUMS", ...EXECUTABLE },
  { what: "tar -xzf anp-0.1.0-linux-x64.tar.gz anp", ...EXECUTABLE },
  { what: "sudo install anp /usr/local/bin/anp", ...EXECUTABLE },
  { what: `git clone ${statedAddress() ?? PLACEHOLDER} && cd anp`, ...CLONE },
  { what: "npm ci", ...CLONE },
  { what: "npm run binary -- macos-arm64", ...ELSEWHERE },
  { what: "npm install --global ./anp-0.1.0.tgz", ...PACKAGE },
  { what: "anp --version", ...PACKAGE },
  {
    what: "skopeo copy --all oci-archive:anp-0.1.0-images.oci.tar:anp:0.1.0 docker://registry.example.com/anp:0.1.0",
    ...IMAGE_NAMES,
  },
  { what: "kubectl krew install --manifest anp.yaml", ...PLUGIN },
  { what: "kubectl anp render ./manifests", ...PLUGIN },
  { what: "npm ci", ...CLONE },
  { what: "npx anp render fixtures/quickstart", ...CLONE },
];

const ROWS: readonly Way[] = [
  { what: "#executables", ...EXECUTABLE },
  { what: "#npm", ...PACKAGE },
  { what: "#images", ...IMAGES },
  { what: "#homebrew-and-krew", ...FORMULA },
  { what: "ci.md#github-actions", ...ACTION },
  { what: "ci.md#pre-commit", ...HOOK },
  { what: "#a-clone", ...CLONE },
  { what: "completion.md", ...COMPLETION },
];

const page = readPage(INSTALL_PAGE);

describe(INSTALL_PAGE, () => {
  it("has no command that no test runs", () => {
    const typed = blocksOf(page).flatMap(({ language, lines }) => (language === "sh" ? lines : []));
    expect(typed).toStrictEqual(TYPED.map(({ what }) => what));
  });

  it("has no row that no test covers", () => {
    const rows = [...page.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \|/gm)].map(([, link = ""]) => link);
    expect(rows).toStrictEqual(ROWS.map(({ what }) => what));
  });

  it.each([...TYPED, ...ROWS])("$what: $file", ({ file, test }) => {
    expect(readFileSync(join(REPOSITORY, file), "utf8")).toContain(test);
  });
});
