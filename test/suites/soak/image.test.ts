/** The images, as a registry and a runtime see them: what is in them, and that each runs as its user on a read-only root. */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { runOn } from "../../../scripts/binary/run-on.ts";
import { TARGETS } from "../../../scripts/binary/targets.ts";
import { ARCHITECTURES } from "../../../scripts/image/buildah.ts";
import { buildImages, type Executable } from "../../../scripts/image/build-images.ts";
import { Unavailable } from "../../../scripts/build-folder.ts";
import { executable } from "../../support/binary/executable.ts";
import { goProgram } from "../../support/go/programs.ts";
import { anp, QUICKSTART } from "../../support/process/built.ts";
import { type Container, containersMissing, runIn, startIn } from "../../support/image/container.ts";
import { Layout } from "../../support/image/layout.ts";

const LABELS = { version: "1.2.3", revision: "0123456789abcdef", time: 1_700_000_000 };
const folder = mkdtempSync(join(tmpdir(), "anp-images-"));

interface Built {
  readonly executables: readonly Executable[];
  readonly layout: Layout;
}

async function build(): Promise<Built | { readonly skipped: string }> {
  const executables: Executable[] = [];
  for (const target of TARGETS.filter(({ platform }) => platform === "linux")) {
    const made = await executable(target.name, `the images for ${target.name}`);
    if ("command" in made) executables.push({ target, path: made.command.at(-1) ?? "" });
  }
  if (executables.length === 0) return { skipped: "there is no executable" };
  try {
    buildImages(executables, LABELS, join(folder, "layout"));
    return { executables, layout: new Layout(join(folder, "layout")) };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { skipped: error.message };
  }
}

const built = await build();
if ("skipped" in built) console.warn(`the images are skipped: ${built.skipped}`);
const missing = "skipped" in built ? built.skipped : containersMissing();
if (missing !== undefined) console.warn(`running the images is skipped: ${missing}`);

const architectures = "skipped" in built ? [] : built.executables.map(({ target }) => ARCHITECTURES[target.arch]);
const layout = (): Layout => {
  if ("skipped" in built) throw new Error(built.skipped);
  return built.layout;
};

describe.skipIf("skipped" in built)("the images", () => {
  const names = ["anp-cmp:1.2.3", "anp-fn:1.2.3", "anp:1.2.3"];

  it("are there for every architecture", () => {
    expect(layout().names()).toStrictEqual(names);
    for (const name of names)
      expect(layout().architectures(name)).toStrictEqual(architectures.map((arch) => `linux/${arch}`));
  });

  it.each([
    ["anp:1.2.3", "65532:65532", ["/usr/bin/anp"]],
    ["anp-fn:1.2.3", "65532:65532", ["/usr/bin/anp", "fn"]],
    ["anp-cmp:1.2.3", "999:999", ["/var/run/argocd/argocd-cmp-server"]],
  ])("%s starts as %s", (name, user, entrypoint) => {
    for (const architecture of architectures) {
      const { config } = layout().image(name, architecture);
      expect(config).toMatchObject({
        architecture,
        os: "linux",
        created: "2023-11-14T22:13:20Z",
        config: { User: user, Entrypoint: entrypoint, Env: ["PATH=/usr/bin"] },
      });
      expect(config.config.Cmd).toBeUndefined();
      expect(config.config.Labels).toMatchObject({
        "org.opencontainers.image.version": "1.2.3",
        "org.opencontainers.image.revision": "0123456789abcdef",
      });
    }
  });

  it("share the layer with the executable", () => {
    for (const architecture of architectures) {
      const first = names.map((name) => layout().image(name, architecture).layers[0]?.digest);
      expect(new Set(first).size).toBe(1);
      expect(names.map((name) => layout().image(name, architecture).layers.length)).toStrictEqual([2, 1, 1]);
    }
  });

  it("are the same bytes when they are built again", () => {
    if ("skipped" in built) return;
    buildImages(built.executables, LABELS, join(folder, "again"));
    const index = (name: string): string => readFileSync(join(folder, name, "index.json"), "utf8");
    // It names everything else by its digest.
    expect(index("again")).toBe(index("layout"));
  });
});

describe.skipIf(missing !== undefined).each(architectures)("the images for %s", (architecture) => {
  let containers: Readonly<Record<"anp" | "anp-fn" | "anp-cmp", Container>>;

  beforeAll(() => {
    const target = TARGETS.find(({ platform, arch }) => platform === "linux" && ARCHITECTURES[arch] === architecture)!;
    const [program] = runOn(target);
    const emulator =
      program === undefined ? undefined : spawnSync("which", [program], { encoding: "utf8" }).stdout.trim();
    const container = (name: string): Container => {
      const root = join(folder, `${name}-${architecture}`);
      layout().unpack(`${name}:1.2.3`, architecture, root);
      return { root, config: layout().image(`${name}:1.2.3`, architecture).config, emulator };
    };
    containers = { anp: container("anp"), "anp-fn": container("anp-fn"), "anp-cmp": container("anp-cmp") };
  });

  it("hold no shell, and nothing that anybody may write but /tmp", () => {
    const { root } = containers["anp-cmp"];
    expect(existsSync(join(root, "bin/sh"))).toBe(false);
    const { stdout } = spawnSync("find", [root, "-perm", "-o+w", "-printf", "/%P %m\n"], { encoding: "utf8" });
    expect(stdout).toBe("/tmp 1777\n");
  });

  it("render", () => {
    const files = readdirSync(QUICKSTART, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".yaml"),
    );
    const stream = files.map((name) => readFileSync(join(QUICKSTART, name), "utf8")).join("\n---\n");
    const { exit, stdout } = runIn(containers.anp, ["/usr/bin/anp", "render", "-"], stream);
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: anp(["render", QUICKSTART]).stdout });
    expect(runIn(containers.anp, ["/usr/bin/anp", "--version"], "").exit).toBe(0);
  });

  it("are a KRM function, also for a user without rights", () => {
    const list = anp(["render", QUICKSTART, "-o", "resourcelist"]).stdout.replaceAll(
      "anp.hypershift",
      "other.hypershift",
    );
    const wanted = anp(["fn"], { input: list });
    for (const user of [undefined, "65534:65534"]) {
      const { config } = containers["anp-fn"];
      const as = user === undefined ? config : { ...config, config: { ...config.config, User: user } };
      const { exit, stdout } = runIn({ ...containers["anp-fn"], config: as }, undefined, list);
      expect({ exit, stdout }).toStrictEqual({ exit: wanted.exit, stdout: wanted.stdout });
      expect(stdout).toContain("kind: ResourceList\n");
    }
  });

  it("render an Application as Argo CD's user", () => {
    const container = {
      ...containers["anp-cmp"],
      mounts: { "/tmp/repository": QUICKSTART },
      folder: "/tmp/repository",
    };
    const { exit, stdout } = runIn(container, ["/usr/bin/anp", "cmp", "generate"], "");
    expect({ exit, stdout }).toStrictEqual({ exit: 0, stdout: anp(["render", QUICKSTART]).stdout });
  });
});

describe.skipIf(missing !== undefined)("the image anp-cmp with Argo CD's server", () => {
  it("answers repo-server", async () => {
    const server = await goProgram("argocd");
    const own = ARCHITECTURES[process.arch as "x64"];
    const root = join(folder, "with-server");
    layout().unpack("anp-cmp:1.2.3", own, root);
    const sockets = mkdtempSync(join(tmpdir(), "anp-socket-"));
    chownSync(sockets, 999, 999);
    const container: Container = {
      root,
      config: layout().image("anp-cmp:1.2.3", own).config,
      // As the volumes of the Deployment.
      mounts: { "/var/run/argocd/argocd-cmp-server": server },
      volumes: { "/home/argocd/cmp-server/plugins": sockets },
    };
    const running = startIn(container, ["server", "--loglevel", "error"]);
    try {
      const socket = join(sockets, "anp.sock");
      for (let tries = 0; !existsSync(socket); tries += 1) {
        if (tries > 300 || running.exitCode !== null) throw new Error("argocd-cmp-server did not start in the image");
        await sleep(100);
      }
      const ask = ["ask", "GenerateManifest", socket, QUICKSTART, "."];
      const { stdout } = spawnSync(server, ask, { input: "{}", encoding: "utf8", timeout: 90_000 });
      const { value, error } = JSON.parse(stdout) as { value?: { manifests?: string[] }; error?: string };
      expect(error).toBeUndefined();
      const kinds = (value?.manifests ?? []).map((text) => (JSON.parse(text) as { kind: string }).kind);
      expect(kinds.filter((kind) => kind === "NodePool")).toHaveLength(3);
    } finally {
      running.kill("SIGKILL");
    }
  }, 600_000);
});
