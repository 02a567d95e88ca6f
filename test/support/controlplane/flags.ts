/** The command line flags of etcd and kube-apiserver. */
import { join } from "node:path";
import { CLUSTER } from "../go/programs.ts";

export interface ControlPlaneOptions {
  /** For --runtime-config, e.g. `admissionregistration.k8s.io/v1beta1=true`. */
  runtimeConfig?: string;
  /** The users of the audit log; without users there is no log. */
  audited?: readonly string[];
  /** For --admission-control-config-file; in 1.36, policies in files are behind a gate. */
  admissionConfiguration?: string;
}

/** The addresses of one control plane, all on the loopback interface. */
export interface Addresses {
  apiServerPort: number;
  etcd: string;
  etcdPeer: string;
}

export const FILES = {
  tokens: "tokens.csv",
  signingKey: "service-account.key",
  /** The API server creates it at its start. */
  certificate: "apiserver.crt",
  auditPolicy: "audit-policy.json",
  auditLog: "audit.log",
} as const;

export function etcdFlags(folder: string, { etcd, etcdPeer }: Addresses): string[] {
  return [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=${etcdPeer}`,
    `--initial-advertise-peer-urls=${etcdPeer}`,
    `--initial-cluster=default=${etcdPeer}`,
    // The data need not survive a crash of the machine.
    "--unsafe-no-fsync",
    // A single member elects itself. By default it waits a second for others first.
    "--heartbeat-interval=10",
    "--election-timeout=100",
    "--log-level=warn",
  ];
}

export function apiServerFlags(
  folder: string,
  { apiServerPort, etcd }: Addresses,
  options: ControlPlaneOptions,
): string[] {
  const signingKey = join(folder, FILES.signingKey);
  return [
    `--etcd-servers=${etcd}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${apiServerPort}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${join(folder, FILES.tokens)}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${signingKey}`,
    `--service-account-signing-key-file=${signingKey}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    // It would refuse pods until a controller manager has created service accounts, and there is none.
    "--disable-admission-plugins=ServiceAccount",
    "--endpoint-reconciler-type=none",
    "--profiling=false",
    ...(options.runtimeConfig === undefined ? [] : [`--runtime-config=${options.runtimeConfig}`]),
    ...(options.audited === undefined ? [] : auditFlags(folder)),
    ...(options.admissionConfiguration === undefined
      ? []
      : [
          `--admission-control-config-file=${options.admissionConfiguration}`,
          ...(CLUSTER.kubernetes === "1.36" ? ["--feature-gates=ManifestBasedAdmissionControlConfig=true"] : []),
        ]),
  ];
}

function auditFlags(folder: string): string[] {
  return [
    `--audit-policy-file=${join(folder, FILES.auditPolicy)}`,
    `--audit-log-path=${join(folder, FILES.auditLog)}`,
    // A request is in the log before it is answered.
    "--audit-log-mode=blocking",
  ];
}
