/** A process as a container runtime starts it, in namespaces of its own: user, root and environment are the image's. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Ended } from "../process/built.ts";
import type { ImageConfig } from "./layout.ts";

export interface Container {
  readonly root: string;
  readonly config: ImageConfig;
  /** Folders and files of this machine by their place in the container, read-only unless they are volumes. */
  readonly mounts?: Readonly<Record<string, string>>;
  readonly volumes?: Readonly<Record<string, string>>;
  /** The current folder. */
  readonly folder?: string;
  /** An emulator on this machine, statically linked. */
  readonly emulator?: string | undefined;
}

/** Why there can be none here. */
export function containersMissing(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "running an image takes root on Linux";
  const tried = spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "true"]);
  return tried.status === 0 ? undefined : "no namespaces can be made here";
}

/** @param command in place of the entry point */
export function runIn(container: Container, command: readonly string[] | undefined, input: string): Ended {
  const { status, stdout, stderr } = spawnSync("unshare", words(container, command), {
    encoding: "utf8",
    input,
    timeout: 120_000,
    maxBuffer: 2 ** 28,
  });
  return { exit: status, stdout, stderr };
}

export function startIn(container: Container, args: readonly string[]): ChildProcess {
  const { Entrypoint } = container.config.config;
  return spawn("unshare", words(container, [...Entrypoint, ...args]), { stdio: "ignore" });
}

/** Some of those that every runtime gives. */
const DEVICES = Object.fromEntries(["/dev/null", "/dev/zero", "/dev/urandom"].map((device) => [device, device]));

function words(container: Container, command?: readonly string[]): string[] {
  const { root, config, mounts = {}, volumes = {}, folder = "/", emulator } = container;
  const { User, Env, Entrypoint, Cmd = [] } = config.config;
  const inside = emulator === undefined ? [] : ["/emulator"];
  const bound = Object.entries({ ...DEVICES, ...mounts, ...(emulator === undefined ? {} : { "/emulator": emulator }) });
  for (const [place, path] of [...bound, ...Object.entries(volumes)]) makePlace(join(root, place), path);
  mkdirSync(join(root, "proc"), { recursive: true });
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const [user, group] = User.split(":");
  const script = [
    "set -e",
    `mount --bind ${quoted(root)} ${quoted(root)}`,
    `mount -t proc proc ${quoted(join(root, "proc"))}`,
    `mount -t tmpfs -o mode=1777 tmpfs ${quoted(join(root, "tmp"))}`,
    // What is below /tmp is hidden by now, and is made anew.
    ...bound.map(
      ([place, path]) =>
        `${place.startsWith("/tmp/") ? `mkdir -p ${quoted(join(root, place))}; ` : ""}mount --bind -o ro ${quoted(path)} ${quoted(join(root, place))}`,
    ),
    ...Object.entries(volumes).map(([place, path]) => `mount --bind ${quoted(path)} ${quoted(join(root, place))}`),
    `mount -o remount,bind,ro ${quoted(root)}`,
    `exec env -i ${Env.map(quoted).join(" ")} unshare --root ${quoted(root)} --wd ${quoted(folder)} --setgid ${group} --setuid ${user} -- "$@"`,
  ].join("\n");
  const namespaces = ["--mount", "--pid", "--net", "--fork", "--kill-child"];
  return [...namespaces, "sh", "-c", script, "sh", ...inside, ...(command ?? [...Entrypoint, ...Cmd])];
}

function makePlace(place: string, path: string): void {
  if (spawnSync("test", ["-d", path]).status === 0) mkdirSync(place, { recursive: true });
  else {
    mkdirSync(dirname(place), { recursive: true });
    spawnSync("touch", [place]);
  }
}
