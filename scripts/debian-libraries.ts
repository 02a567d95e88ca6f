/** Collects the libraries that node is linked against, from Debian's packages, for an architecture. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Target } from "./binary/targets.ts";
import { buildFolder, Unavailable } from "./build-folder.ts";

type Arch = Target["arch"];

interface Debian {
  readonly arch: string;
  readonly triplet: string;
  /** The path at which every executable looks for the loader. */
  readonly loader: string;
}

const DEBIAN: Readonly<Record<Arch, Debian>> = {
  x64: { arch: "amd64", triplet: "x86_64-linux-gnu", loader: "lib64/ld-linux-x86-64.so.2" },
  arm64: { arch: "arm64", triplet: "aarch64-linux-gnu", loader: "lib/ld-linux-aarch64.so.1" },
};

interface Package {
  /** The licence of these libraries, in SPDX; all licences of the package are in its copyright file. */
  readonly licence: string;
  readonly libraries: readonly string[];
}

const GCC = "GPL-3.0-or-later WITH GCC-exception-3.1";

const LIBRARIES: Readonly<Record<string, Package>> = {
  libc6: { licence: "LGPL-2.1-or-later", libraries: ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"] },
  "libgcc-s1": { licence: GCC, libraries: ["libgcc_s.so.1"] },
  "libstdc++6": { licence: GCC, libraries: ["libstdc++.so.6"] },
  libatomic1: { licence: GCC, libraries: ["libatomic.so.1"] },
};

export interface Libraries {
  readonly folder: string;
  /** Name and version of each package. */
  readonly packages: readonly string[];
}

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** The architecture as Debian names it. */
  readonly arch: string;
  readonly licence: string;
  /** The package's libraries in the folder, relative to it. */
  readonly files: readonly string[];
}

/** The content of the folder, by package. */
export function debianPackages(arch: Arch, { folder, packages }: Libraries): DebianPackage[] {
  const { arch: debianArch, triplet, loader } = DEBIAN[arch];
  return packages.map((line) => {
    const [name = "", version = ""] = line.split(" ");
    const { licence = "NOASSERTION", libraries = [] } = LIBRARIES[name] ?? {};
    const files = [
      ...libraries.map((library) => join("lib", triplet, library)),
      ...(name === "libc6" ? [loader] : []),
      join("usr/share/doc", name, "copyright"),
    ];
    return { name, version, arch: debianArch, licence, files: files.filter((file) => existsSync(join(folder, file))) };
  });
}

/**
 * Those of this machine are installed, because node runs here; those of another one are downloaded.
 * @throws Unavailable
 */
export function debianLibraries(arch: Arch): Libraries {
  const debian = DEBIAN[arch];
  const folder = join(buildFolder("cache"), `libraries-${debian.arch}`);
  const list = join(folder, "packages.txt");
  if (!existsSync(list)) {
    rmSync(folder, { recursive: true, force: true });
    const packages = arch === process.arch ? copyInstalled(debian, folder) : copyDownloaded(debian, folder);
    writeFileSync(list, `${packages.join("\n")}\n`);
  }
  return { folder, packages: readFileSync(list, "utf8").trim().split("\n") };
}

function copyInstalled(debian: Debian, folder: string): string[] {
  return Object.entries(LIBRARIES).map(([name, { libraries }]) => {
    const asked = spawnSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8" });
    if (asked.error !== undefined)
      throw new Unavailable("its libraries come from Debian's packages: build it on Debian");
    if (asked.status !== 0) throw new Unavailable(`Debian's package ${name} is not installed`);
    copyLibraries("/", { debian, name, libraries, folder });
    return `${name} ${asked.stdout}`;
  });
}

function copyDownloaded(debian: Debian, folder: string): string[] {
  const work = buildFolder("cache", `apt-${debian.arch}`);
  try {
    download(debian, work);
    return Object.entries(LIBRARIES).map(([name, { libraries }]) => {
      const file = readdirSync(work).find((entry) => entry.startsWith(`${name}_`) && entry.endsWith(".deb"));
      if (file === undefined) throw new Unavailable(`apt-get did not bring ${name}`);
      const root = join(work, name);
      execFileSync("dpkg-deb", ["-x", join(work, file), root]);
      copyLibraries(root, { debian, name, libraries, folder });
      // apt writes the colon of a version as %3a in file names.
      return `${name} ${decodeURIComponent(file.split("_")[1] ?? "")}`;
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** With package lists of its own: the machine's lists lack the other architecture, and must not be changed. */
function download({ arch }: Debian, work: string): void {
  for (const name of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(work, name), { recursive: true });
  writeFileSync(join(work, "status"), "");
  const options = [
    `APT::Architecture=${arch}`,
    `APT::Architectures=${arch}`,
    `Dir::State=${join(work, "state")}`,
    `Dir::State::status=${join(work, "status")}`,
    `Dir::Cache=${join(work, "cache")}`,
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);
  for (const command of [["update"], ["download", ...Object.keys(LIBRARIES)]]) {
    const { status, error } = spawnSync("apt-get", [...options, "-qq", ...command], { cwd: work, stdio: "pipe" });
    if (error !== undefined) throw new Unavailable("its libraries come from Debian's packages: build it on Debian");
    if (status !== 0) throw new Unavailable(`apt-get ${command[0]} could not bring the libraries for ${arch}`);
  }
}

interface Copying {
  readonly debian: Debian;
  readonly name: string;
  readonly libraries: readonly string[];
  readonly folder: string;
}

function copyLibraries(root: string, { debian: { triplet, loader }, name, libraries, folder }: Copying): void {
  const places = ["lib", "usr/lib"].map((place) => join(root, place, triplet));
  for (const library of libraries) {
    const file = places.map((place) => join(place, library)).find((path) => existsSync(path));
    if (file === undefined) throw new Unavailable(`${library} is not where Debian has it`);
    cpSync(realpathSync(file), join(folder, "lib", triplet, library));
  }
  if (name === "libc6") {
    const file = places.map((place) => join(place, basename(loader))).find((path) => existsSync(path));
    cpSync(realpathSync(file ?? join(root, loader)), join(folder, loader));
  }
  const copyright = join(root, "usr/share/doc", name, "copyright");
  if (existsSync(copyright)) cpSync(realpathSync(copyright), join(folder, "usr/share/doc", name, "copyright"));
}
