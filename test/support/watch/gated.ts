/** A control plane behind a TcpGate, with a kubeconfig for the gate. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UserName } from "../controlplane/users.ts";
import type { Rig } from "./rig.ts";
import { type TcpGate, tcpGate } from "./tcp-gate.ts";

export interface Gated {
  readonly gate: TcpGate;
  /** The file of the kubeconfig. */
  readonly kubeconfig: string;
}

export async function gated(rig: Rig, side: "management" | "guest", user: UserName): Promise<Gated> {
  const { port } = new URL(rig[side].url);
  const gate = await tcpGate(Number(port));
  const kubeconfig = join(rig.folder, `gate-${gate.port}.kubeconfig`);
  writeFileSync(kubeconfig, rig[side].kubeconfig(user).replaceAll(`:${port}`, `:${gate.port}`));
  return { gate, kubeconfig };
}
