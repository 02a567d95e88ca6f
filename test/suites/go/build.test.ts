/** Proves the building of Go programs: once for all who ask, told why when it fails, and modules newer than the Go. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildGoProgram } from "../../support/go/build.ts";
import { withLock } from "../../support/go/lock.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";

describe("a Go program", () => {
  let folder: string;
  let module: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "anp-go-"));
    module = join(folder, "module");
    vi.stubEnv("ANP_TEST_CACHE", join(folder, "cache"));
    await mkdir(module);
    await writeFile(join(module, "go.mod"), "module example.test/hello\n\ngo 1.26.0\n");
    await writeFile(join(module, "main.go"), 'package main\n\nfunc main() { print("hello") }\n');
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  test("is built once, however many ask at the same time", async () => {
    const program = { module, package: ".", name: "hello" };
    const [first, second] = await Promise.all([buildGoProgram(program), buildGoProgram(program)]);
    expect(first).toBe(second);
    expect(spawnSync(first, { encoding: "utf8" }).stderr).toBe("hello");
    expect(await readdir(join(folder, "cache"))).toEqual([expect.stringMatching(/^hello-[0-9a-f]{16}$/)]);
  });

  test("another source makes another program", async () => {
    const before = await buildGoProgram({ module, package: ".", name: "hello" });
    await writeFile(join(module, "more.go"), "package main\n");
    expect(await buildGoProgram({ module, package: ".", name: "hello" })).not.toBe(before);
  });

  test("a failed build tells what the compiler said", async () => {
    const broken = join(folder, "broken");
    await mkdir(broken);
    await writeFile(join(broken, "go.mod"), "module example.test/broken\n\ngo 1.26.0\n");
    await writeFile(join(broken, "main.go"), "package main\n\nfunc main() { nonsense() }\n");
    const build = buildGoProgram({ module: broken, package: ".", name: "broken" });
    await expect(build).rejects.toThrow("undefined: nonsense");
  });

  test("a module that asks for a newer Go is unpacked all the same", async () => {
    const dir = await goModuleDir("sigs.k8s.io/karpenter", "v1.15.0");
    expect(existsSync(join(dir, "pkg", "apis", "crds", "karpenter.sh_nodepools.yaml"))).toBe(true);
  });

  test("a lock whose owner is gone is passed over", async () => {
    const lock = join(folder, "some.lock");
    const { pid: gone } = spawnSync(process.execPath, ["-e", ""]);
    await writeFile(lock, String(gone));
    expect(await withLock(lock, () => Promise.resolve("done"))).toBe("done");
    expect(existsSync(lock)).toBe(false);
  });
});

describe("where there is no Go", () => {
  test("people are told what to install", async () => {
    vi.stubEnv("PATH", "/nowhere");
    vi.resetModules();
    const { goVersion } = await import("../../support/go/toolchain.ts");
    await expect(goVersion()).rejects.toThrow(
      "Go 1.26 or newer is needed, from https://go.dev/dl/ or your package manager: spawn go ENOENT",
    );
    vi.unstubAllEnvs();
  });
});
