/** Who may do what on a control plane: a user and a request in, waiting until RBAC knows it out; it follows a moment after its objects. */
import type { ControlPlane } from "./control-plane.ts";
import { until } from "./objects.ts";

/** A request as RBAC knows it; without a group the core one, without a namespace in all of them. */
export interface Access {
  readonly verb: string;
  readonly group?: string | undefined;
  /** With its subresource: `nodepools/status`. */
  readonly resource: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Until the user may do it, or may no longer. */
export async function waitAccess(
  controlPlane: Pick<ControlPlane, "request">,
  user: string,
  { resource, ...access }: Access,
  allowed = true,
): Promise<void> {
  const [plural, subresource = ""] = resource.split("/");
  const review = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user, resourceAttributes: { ...access, resource: plural, subresource } },
  };
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  await until(`${user} ${allowed ? "may" : "may no longer"} ${access.verb} ${resource}`, async () => {
    const { status, body, text } = await controlPlane.request("system:admin", "POST", path, review);
    if (status !== 201) throw new Error(`review of what ${user} may do: ${status} ${text}`);
    return (body.status as { allowed: boolean }).allowed === allowed;
  });
}
