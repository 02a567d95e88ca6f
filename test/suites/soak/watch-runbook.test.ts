/** docs/watch-runbook.md on two API servers with a watch running: every command is typed, and answers what the page says. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControlPlane } from "../../support/controlplane/control-plane.ts";
import { until } from "../../support/controlplane/objects.ts";
import type { UserName } from "../../support/controlplane/users.ts";
import { fillIn } from "../../support/docs/match-output.ts";
import { blocksOf, readPage } from "../../support/docs/page.ts";
import { commandsOf } from "../../support/process/follow-page.ts";
import { NODE, ROOT } from "../../support/process/built.ts";
import { CONTROL_PLANE, isIn, nodeClass, policy, pool, TYPE, userData } from "../../support/watch/inputs.ts";
import { nodePool, OPERATOR, put, type Rig, startRig } from "../../support/watch/rig.ts";

const PAGE = "docs/watch-runbook.md";
const SPOT = isIn("karpenter.sh/capacity-type", "spot");

const { stdout: kubectl } = spawnSync("sh", ["-c", "command -v kubectl"], { encoding: "utf8" });
if (kubectl === "") console.log(`no kubectl: the commands of ${PAGE} are not run`);

/** What has happened when somebody opens the page at a heading. */
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

describe.skipIf(kubectl === "")(PAGE, () => {
  let rig: Rig;
  let env: Record<string, string | undefined>;
  let logFile: string;
  let anp: ReturnType<typeof spawn> | undefined;

  beforeAll(async () => {
    rig = await startRig();
    await put(rig.management, CONTROL_PLANE);
    await put(rig.management, userData("default"));
    await put(rig.management, { apiVersion: "v1", kind: "Namespace", metadata: { name: "anp" } });
    await put(rig.guest, nodeClass("default"));
    env = surroundings(rig);
    logFile = join(rig.folder, "anp.log");
    const config = join(rig.folder, "watch.yaml");
    writeFileSync(config, WATCH_CONFIG);
    const args = ["watch", "--config", config, "--log-format", "json", "--leader-election-namespace", "clusters-c1"];
    anp = spawn(join(rig.folder, "bin/anp"), args, { env, stdio: ["ignore", "ignore", openSync(logFile, "w")] });
    await until("the watch leads", async () => readFileSync(logFile, "utf8").includes('"msg":"leading"'));
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
    for (const { line, language, lines } of blocksOf(page)) {
      const heading = headings.slice(0, line).findLast((text) => text !== undefined) ?? "";
      if (language !== "sh") continue;
      if (heading !== at) {
        const before = at === "" ? 0 : readFileSync(logFile).length;
        await BEFORE[heading]?.(rig);
        await untilQuiet(logFile, before);
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
    const shell = spawn("sh", ["-c", `{ ${command}; } 2>&1`], { cwd: rig.folder, env });
    let text = "";
    shell.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await once(shell, "close");
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

/** kubectl and anp as the page's reader has them; there are no pods here, so that the log is the process's own. */
function surroundings(rig: Rig): Record<string, string | undefined> {
  const kubeconfig = join(rig.folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(bothContexts(rig)));
  const bin = join(rig.folder, "bin");
  spawnSync("mkdir", [bin]);
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const main = `import { main } from "${ROOT}src/main.ts"; process.exit(await main(process.argv.slice(1)))`;
  program("anp", `exec "${NODE}" --input-type=module -e '${main}' -- "$@"`);
  const log = join(rig.folder, "anp.log");
  const cache = join(rig.folder, "cache");
  program(
    "kubectl",
    `case " $* " in *" logs "*) exec cat "${log}";; esac\nexec ${kubectl.trim()} --cache-dir "${cache}" "$@"`,
  );
  return { ...process.env, KUBECONFIG: kubeconfig, LC_ALL: "C", PATH: `${bin}:${process.env["PATH"] ?? ""}` };
}

function bothContexts({ management, guest }: Rig): object {
  const context = (name: string, on: ControlPlane, user: UserName) => ({
    cluster: { name, cluster: { server: on.url, "certificate-authority-data": Buffer.from(on.ca).toString("base64") } },
    user: { name, user: { token: on.users[user].token } },
    context: { name, context: { cluster: name, user: name } },
  });
  const both = [context("management", management, "guest-admin"), context("guest", guest, OPERATOR)];
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: both.map(({ cluster }) => cluster),
    users: both.map(({ user }) => user),
    contexts: both.map(({ context: one }) => one),
  };
}
