/** Starts Karpenter with its kwok provider on a control plane, with its CRDs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import { apply, waitEstablished } from "../controlplane/objects.ts";
import { waitFor } from "../controlplane/ready.ts";
import { ServerProcess } from "../controlplane/server-process.ts";
import { kwokCrds } from "./module.ts";
import { CLUSTER, goProgram, type KarpenterVersion, programOfKarpenter } from "../go/programs.ts";

export interface Karpenter {
  readonly controlPlane: ControlPlane;
  readonly pid: number;
  /** Its log so far, one JSON object per line. */
  readonly log: () => string;
  /** Waits for an effect of Karpenter; a failure or an unexpected exit prints its log. */
  readonly waitFor: <T>(what: string, ask: () => Promise<T | undefined>) => Promise<T>;
  readonly stop: () => Promise<void>;
}

/**
 * It is at work some seconds later: pools that become Ready show it.
 *
 * @param instanceTypesFile what kwok offers instead of its own instance types, in its own format
 * @param more of its environment
 * @param version of the program and its CRDs
 */
export async function startKarpenter(
  controlPlane: ControlPlane,
  instanceTypesFile?: string,
  more: Readonly<Record<string, string>> = {},
  version: KarpenterVersion = CLUSTER.karpenter,
): Promise<Karpenter> {
  const program = await goProgram(programOfKarpenter("karpenter", version));
  await installCrds(controlPlane, version);
  const folder = makeFolder();
  const kubeconfig = join(folder.path, "kubeconfig.yaml");
  writeFileSync(kubeconfig, controlPlane.kubeconfig("system:admin"), { mode: 0o600 });
  const environment = {
    KUBECONFIG: kubeconfig,
    DISABLE_LEADER_ELECTION: "true",
    SYSTEM_NAMESPACE: "kube-system",
    // Unused ports: Karpenter accepts a port but no address, so any free one.
    METRICS_PORT: "0",
    HEALTH_PROBE_PORT: "0",
    // The default batching is for real clusters; the pods of a test arrive at once.
    BATCH_IDLE_DURATION: "300ms",
    ...(instanceTypesFile === undefined ? {} : { INSTANCE_TYPES_FILE_PATH: instanceTypesFile }),
    ...more,
  };
  const log = join(folder.path, "karpenter.log");
  const server = new ServerProcess("karpenter", [program], [], log, environment);
  const stop = async (): Promise<void> => {
    await server.stop();
    folder.remove();
  };
  return {
    controlPlane,
    pid: server.pid,
    log: () => readFileSync(log, "utf8"),
    waitFor: (what, ask) => waitFor(what, [server], ask),
    stop,
  };
}

async function installCrds(controlPlane: ControlPlane, version: KarpenterVersion): Promise<void> {
  const crds = await kwokCrds(version);
  for (const crd of crds) {
    const { status, text } = await apply(controlPlane, "system:admin", crd);
    if (status >= 300) throw new Error(text);
  }
  const names = crds.map((crd) => crd.metadata?.name ?? "");
  await waitEstablished(controlPlane, names);
}

function makeFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "anp-karpenter-"));
  const remove = (): void => {
    process.off("exit", remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on("exit", remove);
  return { path, remove };
}
