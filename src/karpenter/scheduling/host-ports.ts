/** Finds the host ports of a pod, and conflicts between them. */
import type { PodSpec } from "../../model/objects/pod.ts";

export interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/**
 * As in Karpenter's hostportusage.go: ports of init containers do not count; with hostNetwork every port is a host
 * port.
 */
export function hostPorts({ containers, hostNetwork }: PodSpec): HostPort[] {
  const ports = containers.flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort = 0, containerPort = 0, hostIP = "", protocol = "TCP" }) => {
    const port = hostPort === 0 && hostNetwork === true ? containerPort : hostPort;
    return port === 0 ? [] : [{ ip: hostIP === "" ? EVERY : hostIP, port, protocol }];
  });
}

export function samePort(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || [a.ip, b.ip].some((ip) => ip === EVERY || ip === "::");
}

const EVERY = "0.0.0.0";
