/** The users of a test control plane: a token file and kubeconfigs. */
import { randomBytes } from "node:crypto";

/** The identities in admission policies, with the groups that the API server would give them. */
const GROUPS = {
  "system:hosted-cluster-config": [],
  "system:admin": ["system:masters"],
  "plain-user": [],
  "karpenter-tenant": [],
  "guest-admin": [],
  /** Has only the roles of deploy/guest, if a suite applies them. */
  "anp-watch": [],
  "system:serviceaccount:kube-system:generic-garbage-collector": [
    "system:serviceaccounts",
    "system:serviceaccounts:kube-system",
  ],
} as const;

export type UserName = keyof typeof GROUPS;

export interface User {
  name: UserName;
  groups: readonly string[];
  token: string;
}

/** Users with a binding to cluster-admin. system:admin needs none and plain-user gets none. */
export const CLUSTER_ADMINS: readonly UserName[] = [
  "system:hosted-cluster-config",
  "guest-admin",
  "system:serviceaccount:kube-system:generic-garbage-collector",
];

/** Tokens differ between control planes, so that a request to the wrong cluster is refused. */
export function makeUsers(): Record<UserName, User> {
  const names = Object.keys(GROUPS) as UserName[];
  const users = names.map((name) => [name, { name, groups: GROUPS[name], token: newToken() }]);
  return Object.fromEntries(users) as Record<UserName, User>;
}

function newToken(): string {
  return randomBytes(16).toString("hex");
}

/** The format of kube-apiserver's --token-auth-file. */
export function tokenFile(users: Record<UserName, User>): string {
  const lines = Object.values(users).map(({ token, name, groups }) => {
    // An empty column would be a group with an empty name.
    const groupColumn = groups.length === 0 ? "" : `,"${groups.join(",")}"`;
    return `${token},"${name}","${name}"${groupColumn}\n`;
  });
  return lines.join("");
}

export function kubeconfigText(url: string, ca: string, user: User): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: test
    cluster:
      server: ${url}
      certificate-authority-data: ${Buffer.from(ca).toString("base64")}
users:
  - name: "${user.name}"
    user:
      token: ${user.token}
contexts:
  - name: test
    context:
      cluster: test
      user: "${user.name}"
current-context: test
`;
}
