/** Creates foreign mutations, as policies or as a running webhook. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { KubernetesObject } from "../../controlplane/kubernetes-object.ts";
import { issue, newAuthority } from "../../webhook/issue.ts";

const API = "admissionregistration.k8s.io/v1";

/** @param expression a list of JSONPatch */
export function mutationOf(resource: string, name: string, expression: string): KubernetesObject[] {
  const metadata = { name };
  const spec = {
    failurePolicy: "Fail",
    reinvocationPolicy: "IfNeeded",
    matchConstraints: { resourceRules: [ruleOf(resource)] },
    mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
  };
  return [
    { apiVersion: API, kind: "MutatingAdmissionPolicy", metadata, spec },
    { apiVersion: API, kind: "MutatingAdmissionPolicyBinding", metadata, spec: { policyName: name } },
  ];
}

export interface ForeignWebhook {
  readonly object: KubernetesObject;
  /** Whether the API server has called it yet. */
  readonly wasAsked: () => boolean;
  readonly stop: () => Promise<void>;
}

/** @param patch its response to every request, as JSON patch */
export async function startWebhook(resource: string, name: string, patch: readonly object[]): Promise<ForeignWebhook> {
  const authority = newAuthority();
  let asked = false;
  const server = createServer(issue(["127.0.0.1"], authority), (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked = true;
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string } };
      const encoded = Buffer.from(JSON.stringify(patch)).toString("base64");
      const answer = { uid: review.request.uid, allowed: true, patchType: "JSONPatch", patch: encoded };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...review, request: undefined, response: answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const webhook = {
    name,
    clientConfig: { url, caBundle: Buffer.from(authority.cert).toString("base64") },
    rules: [ruleOf(resource)],
    sideEffects: "None",
    reinvocationPolicy: "IfNeeded",
    failurePolicy: "Ignore",
    admissionReviewVersions: ["v1"],
  };
  return {
    object: { apiVersion: API, kind: "MutatingWebhookConfiguration", metadata: { name }, webhooks: [webhook] },
    wasAsked: () => asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function ruleOf(resource: string): object {
  const group = resource === "ec2nodeclasses" ? "karpenter.k8s.aws" : "karpenter.sh";
  return { apiGroups: [group], apiVersions: ["*"], operations: ["CREATE", "UPDATE"], resources: [resource] };
}
