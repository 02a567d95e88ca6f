/** Waits until RBAC of a control plane allows or denies a request: it follows its objects after a moment. */
import type { ControlPlane } from "./running.ts";
import { until } from "./objects.ts";

/** A request as in RBAC; the core group by default, and all namespaces. */
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
