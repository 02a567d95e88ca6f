/** Pages for kubectl on two API servers with a watch: every command is typed, and answers what the page says. */
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { fillIn } from "../../support/docs/match-output.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { commandsOf } from "../../support/process/follow-page.ts";
import { CONTROL_PLANE, isIn, nodeClass, policy, pool, TYPE, userData } from "../../support/watch/inputs.ts";
import { KUBECTL, pageShell, type PageShell } from "../../support/watch/page-shell.ts";
import { put, type Rig, startRig } from "../../support/watch/rig.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";

const PAGES = ["docs/watch-status.md", "docs/why-no-nodes.md"] as const;
/** Marks the blocks that need a cluster and are run here. */
const RUN_HERE = "run by test/suites/watch/status-page.test.ts";

if (KUBECTL === "") console.log(`no kubectl: the commands of ${PAGES.join(" and ")} are not run`);

describe.skipIf(KUBECTL === "")("pages for kubectl", () => {
  let rig: Rig;
  let shell: PageShell;
  const replicas: WatchProcess[] = [];

  beforeAll(async () => {
    rig = await startRig();
    shell = pageShell(rig);
    await put(rig.management, CONTROL_PLANE);
    await put(rig.management, userData("default"));
    await put(rig.management, { apiVersion: "v1", kind: "Namespace", metadata: { name: "anp" } });
    await put(rig.management, policy([isIn(TYPE, "m5.xlarge")]));
    await put(rig.guest, nodeClass("default"));
    await put(rig.guest, pool("batch", [isIn(TYPE, "c5.xlarge")]));
    const env = { KUBECONFIG: String(shell.env["KUBECONFIG"]) };
    const clusters = [
      { name: "c1", namespace: "clusters-c1", management: { context: "management" }, guest: { context: "guest" } },
    ];
    const leads = { leaderElection: { namespace: "anp", name: "anp-watch" }, clusters };
    // It finds no hosted cluster, and holds all shards.
    const shares = {
      discover: { management: { context: "management" }, selector: "tier=none" },
      sharding: { shards: 2, namespace: "anp" },
    };
    for (const [name, spec] of Object.entries({ leads, shares })) {
      const file = join(rig.folder, `${name}.yaml`);
      const config = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "WatchConfig", spec };
      writeFileSync(file, JSON.stringify(config));
      replicas.push(startWatch(["--config", file], { env }));
    }
    const [first, second] = replicas;
    await first!.until("two passes", async () => first!.passes().length > 0);
    const taken = () => second!.lines().filter(({ msg }) => msg === "shard taken").length;
    await second!.until("both shards", async () => taken() === 2);
    // A status and events are written after the pass.
    await until("the wrapper's status", async () => (await shell.typed(WRAPPERS)).includes("NoInstanceTypes"));
  });

  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await rig?.stop();
  });

  test.each([
    [PAGES[0], 9],
    [PAGES[1], 3],
  ])("every command answers what the page says: %s", async (page, commands) => {
    let count = 0;
    for (const { line, language, note, lines } of blocksOf(readPage(page))) {
      if (language !== "sh" || note?.value.includes(RUN_HERE) !== true) continue;
      for (const { command, output } of commandsOf(lines)) {
        if (output.length === 0) continue;
        const printed = plain(await shell.typed(command));
        expect(fillIn(output.map(oneSpace), printed), `${page}:${line}: ${command}`).toStrictEqual(printed);
        count += 1;
      }
    }
    expect(count).toBe(commands);
  });
});

const WRAPPERS = "kubectl --context guest get openshiftnodepools";

/** Names of pods as a Deployment has them, one age, and no widths of columns: those depend on both. */
function plain(text: string): string[] {
  return text
    .trimEnd()
    .replaceAll(new RegExp(`${hostname()}_[-0-9a-f]{36}`, "g"), "anp-watch-7c9f6d5b8-x2v4q_…")
    .replaceAll(new RegExp(`${hostname()}-[0-9a-f]{8}`, "g"), "anp-watch-6d9f-4kx2p-1c0de5a9")
    .replaceAll(/ \d+[ms](?:\d+s)?$/gm, " 5m")
    .split("\n")
    .map(oneSpace);
}

function oneSpace(line: string): string {
  const [indent = ""] = /^ */.exec(line) ?? [];
  return `${indent}${line.trim().replaceAll(/ +/g, " ")}`;
}
