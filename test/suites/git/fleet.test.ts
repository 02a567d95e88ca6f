/** A repository of 40 hosted clusters with 400 pools, in each layout: commands read all, and keep clusters apart. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLUSTERS, configOf, LAYOUTS, POOLS } from "../../support/fleet/fleet.ts";
import { addFiles, policy, pool, textsIn } from "../../support/process/inputs.ts";
import { repository } from "../../support/process/repositories.ts";
import { runAnp } from "../../support/process/run-anp.ts";

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly hostedCluster?: string;
  readonly file?: string;
}

describe.each(LAYOUTS)("$name", ({ files, path, policyDir, usersOf, policyOf }) => {
  const given = [path, "--policy-dir", policyDir];
  const render = (cwd: string) => runAnp(["render", ...given, "--output-dir", "rendered"], { cwd });

  it("is checked, rendered and compared in one run of each", async () => {
    const cwd = repository(files);
    expect(await runAnp(["check", ...given], { cwd })).toMatchObject({ exit: 0, stderr: "" });
    const { exit, stderr } = await render(cwd);
    const lines = CLUSTERS.map((name) => `rendered/clusters-${name}: 18 written, 0 unchanged, 0 removed\n`);
    expect([exit, stderr]).toStrictEqual([0, lines.join("")]);
    const { hostedClusters, strays } = JSON.parse(
      (await runAnp(["doctor", ...given, "-o", "json"], { cwd })).stdout,
    ) as { hostedClusters: { hostedCluster: string; policy: string; nodePools: number }[]; strays: unknown[] };
    expect([hostedClusters.map((one) => [one.hostedCluster, one.policy, one.nodePools]), strays]).toStrictEqual([
      CLUSTERS.map((name) => [`clusters-${name}`, policyOf(name), POOLS.length]),
      [],
    ]);
  });

  it("has one report of a pull request that changes two of them", async () => {
    const cwd = repository(files);
    const more = (name: string) => `${usersOf(name)}/more.yaml`;
    const unmatched = pool("more", "[{key: kubernetes.io/arch, operator: In, values: [arm64]}]");
    addFiles(cwd, { [more("c03")]: pool("more"), [more("c07")]: unmatched });
    const changed = await runAnp(["diff", ...given, "--against", "ref:main", "-o", "markdown"], { cwd });
    expect(changed.exit).toBe(1);
    expect(changed.stdout).toContain("clusters-c03 NodePool more");
    expect(changed.stdout).toContain("clusters-c07 NodePool more");
    expect(changed.stdout).not.toContain("clusters-c05");
    const reports = ["json", "sarif", "junit", "github", "markdown"].flatMap((one) => [
      "--report",
      `${one}=report.${one}`,
    ]);
    const { exit, stdout } = await runAnp(["check", ...given, ...reports], { cwd });
    expect([exit, stdout]).toStrictEqual([1, expect.stringMatching(/: warning: clusters-c07: OpenshiftNodePool more/)]);
    for (const one of ["json", "sarif", "junit", "github", "markdown"])
      expect(readFileSync(join(cwd, `report.${one}`), "utf8"), one).toContain("clusters-c07");
  }, 60_000);

  const FOREIGN = "clusters-c02";

  it("refuses rules that name another cluster, or are in a wrong place, in check, diff and render", async () => {
    const cwd = repository(files);
    const users = usersOf("c01");
    addFiles(cwd, {
      [`${users}/a-policy.yaml`]: policy(FOREIGN, "[arm64]"),
      [`${users}/b-config.yaml`]: configOf("c02", "."),
      [`${users}/policy/policy.yaml`]: policy(FOREIGN),
    });
    for (const command of [["check"], ["diff", "--against", "ref:main"], ["render", "--output-dir", "rendered"]]) {
      const [name = "", ...options] = command;
      const { exit, stdout, stderr } = await runAnp([name, ...given, ...options, "--report", "json"], { cwd });
      const { findings } = JSON.parse(stderr.slice(0, stderr.lastIndexOf("}\n") + 2)) as { findings: Found[] };
      const errors = findings.filter(({ severity }) => severity === "error");
      expect(errors.map(({ code, hostedCluster, file }) => [code, hostedCluster, file])).toStrictEqual(
        ["a-policy.yaml", "b-config.yaml", "policy/policy.yaml"].map((file) => [
          "untrusted-policy",
          "clusters-c01",
          `${users}/${file}`,
        ]),
      );
      expect([exit === 0, stdout.includes("clusters-c02 ")], name).toStrictEqual([false, false]);
    }
    expect(Object.keys(textsIn(cwd)).some((one) => one.startsWith("rendered/"))).toBe(false);
  }, 60_000);

  it("changes nothing by a link to another's policy, a namespace, an annotation or forged output", async () => {
    const cwd = repository(files);
    await render(cwd);
    const before = textsIn(join(cwd, "rendered"));
    const users = usersOf("c01");
    const up = (file: string) => "../".repeat(file.split("/").length - 1);
    for (const link of [`${users}/linked.yaml`, `${users}/deep/policy/policy.yaml`]) {
      mkdirSync(dirname(join(cwd, link)), { recursive: true });
      symlinkSync(`${up(link)}${policyOf("c02")}`, join(cwd, link));
    }
    const annotated = (name: string, metadata: string) =>
      pool(name).replace(`name: ${name}`, `name: ${name}, ${metadata}`);
    addFiles(cwd, {
      [`${users}/namespace.yaml`]: annotated("in-namespace", `namespace: ${FOREIGN}`),
      [`${users}/annotation.yaml`]: annotated(
        "annotated",
        `annotations: {internal.config.kubernetes.io/path: ${usersOf("c02")}/x.yaml, config.kubernetes.io/path: "${cwd}/${usersOf("c02")}/x.yaml"}`,
      ),
      [`${users}/${FOREIGN}/nodepool-pool-0.yaml`]: before[`${FOREIGN}/nodepool-pool-0.yaml`]!.replace(
        "amd64",
        "arm64",
      ),
    });
    const { exit, stderr } = await render(cwd);
    expect(exit, stderr).toBe(0);
    const after = textsIn(join(cwd, "rendered"));
    const own = ["annotated", "in-namespace"].map((name) => `clusters-c01/nodepool-${name}.yaml`);
    expect(Object.keys(after).filter((file) => before[file] !== after[file])).toStrictEqual(own);
    expect(stderr).toContain("rendered/clusters-c01: 2 written, 18 unchanged, 0 removed\n");
    expect(stderr).toContain(`rendered/${FOREIGN}: 0 written, 18 unchanged, 0 removed\n`);
  }, 60_000);
});
