/** What a user may do on a control plane: a name and rules in, the role and its binding put there; the same name again changes it. */
import { waitAccess } from "../controlplane/access.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { UserName } from "../controlplane/users.ts";
import { put } from "../watch/rig.ts";

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** The only ones that it is for. */
  readonly resourceNames?: readonly string[];
}

const API = "rbac.authorization.k8s.io";

/**
 * Until RBAC knows it.
 *
 * @param namespace left out: everywhere
 */
export async function allow(
  on: ControlPlane,
  user: UserName,
  name: string,
  rules: readonly Rule[],
  namespace?: string,
): Promise<void> {
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const metadata = namespace === undefined ? { name } : { name, namespace };
  await put(on, { apiVersion: `${API}/v1`, kind, metadata, rules });
  const roleRef = { apiGroup: API, kind, name };
  const subjects = [{ apiGroup: API, kind: "User", name: user }];
  await put(on, { apiVersion: `${API}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects });
  const granted = rules.flatMap(({ apiGroups, resources, verbs, resourceNames: [name] = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ group, resource, verb, ...(name === undefined ? {} : { name }) })),
      ),
    ),
  );
  await Promise.all(granted.map((access) => waitAccess(on, user, { ...access, namespace })));
}
