/** What a release is made of: archives, formula, manifest, changelog and list of parts, each as the one who reads it does. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { NODE_VERSION, TARGETS } from "../../../scripts/binary/targets.ts";
import { homebrewFormula } from "../../../scripts/release/homebrew-formula.ts";
import { krewManifest } from "../../../scripts/release/krew-manifest.ts";
import { sectionOf } from "../../../scripts/release/readiness.ts";
import { sbom } from "../../../scripts/release/sbom.ts";
import { tar } from "../../../scripts/release/tar.ts";
import { goProgram } from "../../support/go/programs.ts";
import { buildOnce, NODE, ROOT } from "../../support/process/built.ts";
import { folderWith } from "../../support/process/inputs.ts";

const HOME = "https://example.com/anp";
const archives = TARGETS.map((target) => ({
  target,
  url: `${HOME}/anp-1.2.3-${target.name}.tar.gz`,
  sha256: "0123456789abcdef".repeat(4),
}));
const linux = archives.filter(({ target }) => target.platform === "linux");

describe("the version of node", () => {
  it("is that of the dev dependency", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    expect(NODE_VERSION).toBe(devDependencies["node"]);
  });
});

describe("an archive", () => {
  it("is one that tar unpacks, with the modes and times that were asked for", () => {
    const folder = mkdtempSync(join(tmpdir(), "anp-tar-"));
    const bytes = Buffer.from("x".repeat(513));
    const files = [
      { name: "anp", bytes, executable: true },
      { name: "empty", bytes: Buffer.alloc(0) },
      { name: `blobs/${"f".repeat(90)}`, bytes: Buffer.alloc(1024, 7) },
    ];
    writeFileSync(join(folder, "a.tar"), tar(files, 1_700_000_000));
    const list = execFileSync("tar", ["-tvf", "a.tar", "--utc", "--numeric-owner"], { cwd: folder, encoding: "utf8" });
    expect(list.replaceAll(/ +/g, " ")).toBe(
      [
        "-rwxr-xr-x 0/0 513 2023-11-14 22:13 anp",
        "-rw-r--r-- 0/0 0 2023-11-14 22:13 empty",
        `-rw-r--r-- 0/0 1024 2023-11-14 22:13 blobs/${"f".repeat(90)}`,
        "",
      ].join("\n"),
    );
    execFileSync("tar", ["-xf", "a.tar"], { cwd: folder });
    expect(readFileSync(join(folder, "anp"))).toStrictEqual(bytes);
    expect(statSync(join(folder, "anp")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "empty")).size).toBe(0);
  });

  it("refuses a name that would be cut", () => {
    expect(() => tar([{ name: "f".repeat(101), bytes: Buffer.alloc(0) }], 0)).toThrow("too long a name");
  });
});

describe("the changelog", () => {
  const text =
    "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.2.3] - 2026-11-22\n\n### Added\n\n- this\n\n## [1.2.2]\n\n- no date\n";

  it.each<[string, string | undefined]>([
    ["1.2.3", "### Added\n\n- this\n"],
    ["Unreleased", "- new\n"],
    ["1.2.2", undefined],
    ["1.2.4", undefined],
    // A dot is a dot.
    ["1x2.3", undefined],
  ])("has of %s", (version, section) => expect(sectionOf(text, version)).toBe(section));

  it("has nothing of a version without words", () => {
    expect(sectionOf("## [1.0.0] - 2026-01-01\n\n## [0.9.0] - 2025-01-01\n", "1.0.0")).toBeUndefined();
  });
});

describe("the formula", () => {
  it("installs the executable for the machine", () => {
    const formula = homebrewFormula(archives, "1.2.3", HOME);
    const downloads = formula.matchAll(
      /on_(\w+) do\n +url ".*\/anp-1\.2\.3-(.*)\.tar\.gz"\n +sha256 "[0-9a-f]{64}"\n +end/g,
    );
    expect([...downloads].map(([, machine, name]) => `${machine}: ${name}`)).toStrictEqual([
      "intel: linux-x64",
      "arm: linux-arm64",
      "intel: macos-x64",
      "arm: macos-arm64",
    ]);
    expect(formula).not.toContain("depends_on");
    expect(formula).not.toContain("windows");
    // Homebrew's own limit, and no name of the formula in front.
    expect(/desc "(.*)"/.exec(formula)?.[1]?.length).toBeLessThan(80);
    const opened = formula.match(/^ *(class|def)\b|\bdo$/gm)?.length;
    expect(formula.match(/^ *end$/gm)?.length).toBe(opened);
  });

  it("is for Linux where nothing else was built", () => {
    const formula = homebrewFormula(linux, "1.2.3", HOME);
    expect(formula).toContain("  depends_on :linux\n");
    expect(formula).not.toContain("on_macos");
  });
});

describe("the plugin of kubectl", () => {
  let validate: string;
  let krew: string;

  beforeAll(async () => {
    validate = await goProgram("validate-krew-manifest");
    krew = await goProgram("krew");
  });

  const validated = (manifest: string) => {
    const folder = folderWith({ "anp.yaml": manifest });
    return spawnSync(validate, ["-manifest", join(folder, "anp.yaml"), "-skip-install"], { encoding: "utf8" });
  };

  it("is one that krew's own index takes", () => {
    const { status, stderr } = validated(krewManifest(archives, "1.2.3", HOME));
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("structural validation OK") as string,
    });
  });

  it("is one that it would not take without platforms", () => {
    expect(validated(krewManifest([], "1.2.3", HOME)).stderr).toContain("should have a platform specified");
  });

  it("is installed from the archive, with its licence", () => {
    const folder = folderWith({});
    const files = ["anp", "LICENSE", "licenses.txt", "node-LICENSE"].map((name) => ({
      name,
      bytes: Buffer.from(name === "anp" ? "#!/bin/sh\necho 1.2.3\n" : name),
      executable: name === "anp",
    }));
    const archive = join(folder, "anp.tar.gz");
    writeFileSync(archive, gzipSync(tar(files, 0)));
    const sha256 = execFileSync("sha256sum", [archive], { encoding: "utf8" }).slice(0, 64);
    const manifest = join(folder, "anp.yaml");
    const own = linux.map((entry) => ({ ...entry, sha256 }));
    writeFileSync(manifest, krewManifest(own, "1.2.3", HOME));
    for (const arch of ["amd64", "arm64"]) {
      const root = join(folder, arch);
      mkdirSync(root);
      const env = { ...process.env, KREW_ROOT: root, KREW_OS: "linux", KREW_ARCH: arch };
      const { status, stderr } = spawnSync(krew, ["install", "--manifest", manifest, "--archive", archive], {
        encoding: "utf8",
        env,
      });
      expect({ status, stderr: status === 0 ? "" : stderr }).toStrictEqual({ status: 0, stderr: "" });
      expect(execFileSync(join(root, "bin/kubectl-anp"), { encoding: "utf8" })).toBe("1.2.3\n");
      expect(readdirSync(join(root, "store/anp/v1.2.3")).toSorted()).toStrictEqual(
        files.map(({ name }) => name).toSorted(),
      );
    }
  });
});

describe("the list of parts", () => {
  it("has what is bundled, and node, and is the same whenever it is made", async () => {
    await buildOnce();
    const text = sbom(1_700_000_000);
    expect(sbom(1_700_000_000)).toBe(text);
    const bom = JSON.parse(text) as {
      metadata: { timestamp: string; component: { name: string } };
      components: { name: string; version: string; purl: string; licenses?: unknown[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    const bundled = JSON.parse(readFileSync(join(ROOT, "dist/bundled.json"), "utf8")) as {
      name: string;
      version: string;
    }[];
    const names = (list: { name: string; version: string }[]) =>
      list.map(({ name, version }) => `${name}@${version}`).toSorted();
    expect(names(bom.components)).toStrictEqual(names([...bundled, { name: "node", version: NODE_VERSION }]));
    expect(bom.components.map(({ name }) => name)).toContain("yaml");
    expect(bom.components.map(({ name }) => name)).not.toContain("vitest");
    expect(bom.metadata).toMatchObject({ timestamp: "2023-11-14T22:13:20.000Z", component: { name: "anp" } });
    const refs = new Set(bom.dependencies.map(({ ref }) => ref));
    for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  });
});

describe("npm run release", () => {
  const release = (...args: string[]) =>
    spawnSync(NODE, ["scripts/release.ts", ...args], { cwd: ROOT, encoding: "utf8" });

  it("says what stands against it, and makes nothing", () => {
    const { status, stdout, stderr } = release();
    expect({ status, stdout }).toStrictEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("not ready: nobody said where the archives will be: --base-url\n");
  });

  it("knows its options", () => {
    const { status, stderr } = release("--publish");
    expect(status).toBe(2);
    expect(stderr).toContain("npm run release -- [--dry-run]");
  });
});
