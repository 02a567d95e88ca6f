/** A rig with deploy/ installed: anp has only its roles there, not even what clusters grant to all users. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Access, waitAccess } from "../controlplane/access.ts";
import type { ControlPlane } from "../controlplane/control-plane.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { apply, remove } from "../controlplane/objects.ts";
import { kubeconfigText } from "../controlplane/users.ts";
import { ADMIN, put, type Rig } from "../watch/rig.ts";
import { builtManifests } from "./built-manifests.ts";

export interface Grant {
  readonly side: "management" | "guest";
  /** The role that holds it, as it is shipped. */
  readonly role: KubernetesObject;
  readonly apiGroup: string;
  /** With its subresource. */
  readonly resource: string;
  /** The one object that it is for. */
  readonly name: string | undefined;
  readonly verb: string;
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const ACCOUNT = "system:serviceaccount:anp:anp-watch";
export const USERS = { management: ACCOUNT, guest: "anp-watch" } as const;

export interface Installed {
  readonly kubeconfigs: { readonly management: string; readonly guest: string };
  readonly grants: readonly Grant[];
}

/**
 * @param more folders of deploy/ beside those that every watch needs
 * @param base those for the management cluster
 */
export async function install(
  rig: Rig,
  more: { readonly management?: string; readonly guest?: string } = {},
  base: readonly string[] = ["deploy/management", "deploy/hosted-cluster"],
): Promise<Installed> {
  const ofBase = (await Promise.all(base.map((folder) => builtManifests(folder)))).flat();
  const ofManagement = [
    ...ofBase.filter(({ kind = "" }) => NEEDED.includes(kind)),
    ...(more.management === undefined ? [] : await builtManifests(more.management)),
  ];
  const ofGuest = [
    ...(await builtManifests("deploy/guest")),
    ...(await builtManifests("deploy/guest/node-limits-full")),
    ...(more.guest === undefined ? [] : await builtManifests(more.guest)),
  ];
  for (const object of ofManagement) await put(rig.management, object);
  for (const object of ofGuest) await put(rig.guest, object);
  await Promise.all([rig.management, rig.guest].map(takeFromEverybody));
  const kubeconfig = (name: string, text: string): string => {
    const path = join(rig.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const token = await tokenOf(rig.management);
  const grants = [...grantsOf("management", ofManagement), ...grantsOf("guest", ofGuest)];
  await Promise.all(grants.map((grant) => waitAccess(rig[grant.side], USERS[grant.side], accessOf(grant))));
  const { url, ca, users } = rig.management;
  return {
    kubeconfigs: {
      management: kubeconfig("account.kubeconfig", kubeconfigText(url, ca, { ...users["anp-watch"], token })),
      guest: rig.kubeconfig("guest", "anp-watch"),
    },
    grants,
  };
}

const NEEDED = [
  "Namespace",
  "ServiceAccount",
  "Role",
  "RoleBinding",
  "ClusterRole",
  "ClusterRoleBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];

function grantsOf(side: Grant["side"], objects: readonly KubernetesObject[]): Grant[] {
  return objects
    .filter(({ kind }) => kind === "Role" || kind === "ClusterRole")
    .flatMap((role) =>
      (role["rules"] as Rule[]).flatMap(
        ({ apiGroups: [apiGroup = ""], resources, verbs, resourceNames: [name] = [] }) =>
          resources.flatMap((resource) => verbs.map((verb) => ({ side, role, apiGroup, resource, name, verb }))),
      ),
    );
}

/** What `system:authenticated` may do: ask who it is, what is served and which version it is. */
async function takeFromEverybody(on: ControlPlane): Promise<void> {
  const api = "rbac.authorization.k8s.io/v1";
  for (const name of ["system:basic-user", "system:discovery", "system:public-info-viewer"]) {
    const { status } = await remove(on, ADMIN, { apiVersion: api, kind: "ClusterRoleBinding", metadata: { name } });
    if (status !== 200) throw new Error(`${name}: ${status}`);
  }
}

async function tokenOf(on: ControlPlane): Promise<string> {
  const path = "/api/v1/namespaces/anp/serviceaccounts/anp-watch/token";
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { status, body, text } = await on.request(ADMIN, "POST", path, request);
  if (status !== 201) throw new Error(text);
  return (body.status as { token: string }).token;
}

/** The role without that one verb on that one resource, until it is given back. */
export async function withhold(rig: Rig, grant: Grant): Promise<() => Promise<void>> {
  const { side, role, resource, verb } = grant;
  const on = rig[side];
  const rules = (role["rules"] as Rule[])
    .flatMap((rule) => rule.resources.map((one) => ({ ...rule, resources: [one] })))
    .map((rule) =>
      rule.resources[0] === resource ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
    )
    .filter(({ verbs }) => verbs.length > 0);
  await change(on, { ...role, rules }, grant, false);
  return () => change(on, role, grant, true);
}

/** RBAC follows a moment later. */
async function change(on: ControlPlane, role: KubernetesObject, grant: Grant, allowed: boolean): Promise<void> {
  const { status, text } = await apply(on, ADMIN, role, { force: true });
  if (status >= 300) throw new Error(text);
  await waitAccess(on, USERS[grant.side], accessOf(grant), allowed);
}

function accessOf({ role, apiGroup: group, resource, name, verb }: Grant): Access {
  return { group, resource, name, verb, namespace: role.metadata?.namespace };
}
