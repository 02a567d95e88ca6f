/** docs/watch-runbook.md on two API servers with a watch running: every command is typed, and answers what the page says. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../support/controlplane/objects.ts";
import { fillIn } from "../../support/docs/match-output.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { commandsOf } from "../../support/process/follow-page.ts";
import { CONTROL_PLANE, isIn, nodeClass, policy, pool, TYPE, userData } from "../../support/watch/inputs.ts";
import { KUBECTL, pageShell, type PageShell } from "../../support/watch/page-shell.ts";
import { nodePool, OPERATOR, put, type Rig, startRig } from "../../support/watch/rig.ts";

const PAGE = "docs/watch-runbook.md";
const SPOT = isIn("karpenter.sh/capacity-type", "spot");

if (KUBECTL === "") console.log(`no kubectl: the commands of ${PAGE} are not run`);

/** What has happened before a user opens the page at a heading. */
const BEFORE: Readonly<Record<string, (rig: Rig) => Promise<void>>> = {
  "The policy is not applied": async ({ management, guest }) => {
    const object = policy([isIn(TYPE, "m5.xlarge", "m5.2xlarge")]);
    await put(management, { ...object, metadata: { ...object.metadata, name: "standard" } });
    await put(guest, pool("web", [SPOT]));
  },
  "Nodes do not come": async ({ guest }) => put(guest, pool("batch", [isIn(TYPE, "c5.xlarge")])),
  "A change of the policy does not arrive": async ({ management, guest }) => {
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
    const legacy = { ...nodePool("legacy"), spec: { template: { spec: { nodeClassRef, requirements: [SPOT] } } } };
    const path = "/apis/karpenter.sh/v1/nodepools";
    const { status, text } = await guest.request(OPERATOR, "POST", path, legacy);
    if (status !== 201) throw new Error(text);
    await put(guest, pool("legacy", [SPOT]));
    await put(management, policy([isIn(TYPE, "m5.xlarge")]));
  },
};

describe.skipIf(KUBECTL === "")(PAGE, () => {
  let rig: Rig;
  let shell: PageShell;
  let anp: ReturnType<typeof spawn> | undefined;

  beforeAll(async () => {
    rig = await startRig();
    await put(rig.management, CONTROL_PLANE);
    await put(rig.management, userData("default"));
    await put(rig.management, { apiVersion: "v1", kind: "Namespace", metadata: { name: "anp" } });
    await put(rig.guest, nodeClass("default"));
    shell = pageShell(rig);
    const config = join(rig.folder, "watch.yaml");
    writeFileSync(config, WATCH_CONFIG);
    const args = ["watch", "--config", config, "--log-format", "json", "--leader-election-namespace", "clusters-c1"];
    const { env, log } = shell;
    anp = spawn(join(rig.folder, "bin/anp"), args, { env, stdio: ["ignore", "ignore", openSync(log, "w")] });
    await until("the watch leads", async () => readFileSync(log, "utf8").includes('"msg":"leading"'));
  });

  afterAll(async () => {
    anp?.kill("SIGTERM");
    if (anp?.exitCode === null) await once(anp, "exit");
    await rig?.stop();
  });

  test("every command answers what the page says", async () => {
    const page = readPage(PAGE);
    const headings = page.split("\n").map((text) => /^## (.+)$/.exec(text)?.[1]);
    let at = "";
    for (const { line, note, lines } of blocksOf(page)) {
      // Others need what there is not here.
      if (note?.value.endsWith("run by test/suites/soak/watch-runbook.test.ts") !== true) continue;
      const heading = headings.slice(0, line).findLast((text) => text !== undefined) ?? "";
      if (heading !== at) {
        const before = at === "" ? 0 : readFileSync(shell.log).length;
        await BEFORE[heading]?.(rig);
        await untilQuiet(shell.log, before);
      }
      at = heading;
      for (const { command, output } of commandsOf(lines)) {
        const printed = (await typed(command)).trimEnd().split("\n");
        expect(fillIn(output, printed), `${PAGE}:${line}: ${command}`).toStrictEqual(printed);
      }
    }
    expect(at).toBe("A change of the policy does not arrive");
  });

  async function typed(command: string): Promise<string> {
    const text = await shell.typed(command);
    // As the pods of a Deployment are named.
    const replica = new RegExp(`${hostname()}_[-0-9a-f]{36}`, "g");
    return text.replaceAll(/"time":"[^"]*"/g, '"time":"…"').replaceAll(replica, "anp-watch-7c9f6d5b8-x2v4q_…");
  }
});

/** Until a pass has come after so many bytes, and nothing follows it. */
async function untilQuiet(logFile: string, start: number): Promise<void> {
  const size = () => readFileSync(logFile).length;
  await until("a pass", async () => size() > start);
  for (let last = -1; last !== size();) {
    last = size();
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
}

const WATCH_CONFIG = `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: WatchConfig
spec:
  leaderElection: {}
  clusters:
    - name: c1
      namespace: clusters-c1
      management: {context: management}
      guest: {context: guest}
`;
