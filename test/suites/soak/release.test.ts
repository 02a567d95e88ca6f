/** A whole release, made twice from one commit in two folders: what is in it, and that it is the same to the byte. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildFolder } from "../../../scripts/build-folder.ts";
import { buildOnce, type Ended, NODE, ROOT } from "../../support/process/built.ts";

const ADDRESS = "https://github.com/acme/anp";

/** Everything that is or may be committed, as the only commit of a repository that is ready for version 9.8.7. */
function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "anp-release-"));
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  for (const name of execFileSync("git", list, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0")) {
    if (name === "" || !statOf(join(ROOT, name))) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(ROOT, name), join(folder, name));
  }
  for (const file of ["package.json", "package-lock.json"]) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replaceAll(/("name": "anp",\s+"version": )"[^"]*"/g, '$1"9.8.7"'));
  }
  writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## [9.8.7] - 2026-11-22\n\n- Made for a test.\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "pipe" });
  git("init", "-q");
  writeFileSync(join(folder, ".git/info/exclude"), "node_modules\n");
  git("add", "--all");
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  execFileSync(NODE, ["scripts/address.ts", ADDRESS], { cwd: folder, env, stdio: "pipe" });
  git("add", "--all");
  git("commit", "-q", "-m", "release");
  // What is downloaded is checked wherever it is kept.
  mkdirSync(join(folder, "build"));
  symlinkSync(buildFolder("cache"), join(folder, "build/cache"));
  return folder;
}

const when = "2026-11-22T00:00:00Z";
const who = { name: "anp", email: "anp@example.test" };
const env = {
  ...process.env,
  GIT_AUTHOR_NAME: who.name,
  GIT_AUTHOR_EMAIL: who.email,
  GIT_AUTHOR_DATE: when,
  GIT_COMMITTER_NAME: who.name,
  GIT_COMMITTER_EMAIL: who.email,
  GIT_COMMITTER_DATE: when,
};

function statOf(path: string): boolean {
  return spawnSync("test", ["-f", path]).status === 0;
}

function release(folder: string, ...args: string[]): Ended {
  const { status, stdout, stderr } = spawnSync(NODE, ["scripts/release.ts", ...args], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  return { exit: status, stdout, stderr };
}

let first: string;
let second: string;
let said: Ended;

beforeAll(async () => {
  await buildOnce();
  first = repository();
  second = repository();
  said = release(first);
  for (const line of said.stdout.split("\n").filter((text) => text.startsWith("not made"))) console.warn(line);
}, 1_200_000);

const files = (folder: string): string[] => readdirSync(join(folder, "build/release")).toSorted();

it("is made, says what could not be made, and how to publish the rest", () => {
  expect({ exit: said.exit, stderr: said.stderr }).toStrictEqual({ exit: 0, stderr: "" });
  const always = ["SHA256SUMS", "anp-9.8.7.cdx.json", "anp-9.8.7.tgz", "release-notes.md"];
  expect(files(first)).toStrictEqual(expect.arrayContaining(always));
  for (const name of ["linux-x64", "linux-arm64", "macos-x64", "macos-arm64", "windows-x64"]) {
    const made = files(first).includes(`anp-9.8.7-${name}.tar.gz`);
    expect(said.stdout.includes(`not made: anp-9.8.7-${name}.tar.gz: `)).toBe(!made);
  }
  expect(readFileSync(join(first, "build/release/anp.rb"), "utf8")).toContain(`"${ADDRESS}/releases/download/v9.8.7/`);
  expect(said.stdout).toContain("\nnpm publish anp-9.8.7.tgz\n");
  expect(readFileSync(join(first, "build/release/release-notes.md"), "utf8")).toBe("- Made for a test.\n");
});

it("has sums that sha256sum checks, of everything", () => {
  const folder = join(first, "build/release");
  const checked = spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder, encoding: "utf8" });
  expect(checked.status).toBe(0);
  expect(checked.stdout.trim().split("\n")).toHaveLength(files(first).length - 1);
});

it("lists the node of each executable, as its archive has it, and the libraries of the images", () => {
  const folder = join(first, "build/release");
  const { components } = JSON.parse(readFileSync(join(folder, "anp-9.8.7.cdx.json"), "utf8")) as {
    components: { purl: string; properties?: { value: string }[]; components?: { hashes: { content: string }[] }[] }[];
  };
  const targets = (kind: string): string[] =>
    components.flatMap(({ purl, properties }) => (purl.startsWith(kind) ? [properties![0]!.value] : []));
  const archives = files(first).flatMap((name) => /^anp-9\.8\.7-(\w+-\w+)\.tar\.gz$/.exec(name)?.[1] ?? []);
  expect(targets("pkg:npm/node-").toSorted()).toStrictEqual(archives);
  const inside = spawnSync("tar", ["-xzOf", `anp-9.8.7-${archives[0]!}.tar.gz`, "node-LICENSE"], { cwd: folder });
  const licence = createHash("sha256").update(inside.stdout).digest("hex");
  expect(components.find(({ purl }) => purl.startsWith("pkg:npm/node-"))?.components?.[0]?.hashes[0]?.content).toBe(
    licence,
  );
  const images = files(first).includes("anp-9.8.7-images.oci.tar");
  const machines = archives.filter((name) => name.startsWith("linux-")).length;
  expect(targets("pkg:deb/debian/")).toHaveLength(images ? 4 * machines : 0);
});

it("leaves the repository clean", () => {
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: first, encoding: "utf8" })).toBe("");
});

it("is the same to the byte in another folder", () => {
  expect(release(second).exit).toBe(0);
  const sums = (folder: string): string => readFileSync(join(folder, "build/release/SHA256SUMS"), "utf8");
  expect(sums(second)).toBe(sums(first));
}, 1_200_000);

it("is refused without an address, and with another one on a page", () => {
  const stated = readFileSync(join(first, "package.json"), "utf8");
  const after = (text: string): string => {
    writeFileSync(join(first, "package.json"), text);
    execFileSync("git", ["commit", "-q", "--all", "--allow-empty", "-m", "address"], { cwd: first, env });
    return release(first).stderr;
  };
  expect(after(stated.replace(/^ {2}"repository".*\n/m, ""))).toBe(
    "not ready: package.json has no repository: npm run address -- https://github.com/<owner>/anp\n",
  );
  expect(after(stated.replace(ADDRESS, "https://github.com/other/anp"))).toContain(
    `not ready: docs/install.md has ${ADDRESS}, package.json https://github.com/other/anp: npm run address writes one\n`,
  );
  expect(after(stated)).toBe("");
});

it("is refused with changes that are not committed", () => {
  writeFileSync(join(first, "README.md"), "changed\n");
  expect(release(first)).toMatchObject({
    exit: 1,
    stderr: "not ready: there are changes that are not committed: M README.md\n",
  });
});
