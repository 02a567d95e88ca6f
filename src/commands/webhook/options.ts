/** The options of `anp webhook`, validated when they are parsed, and the patch that CRDs need. */
import { InvalidArgumentError } from "commander";
import type { CertificateFiles } from "../../cluster/webhook/certificate.ts";
import type { WebhookSpec } from "../../cluster/webhook/run-webhook.ts";
import { toYaml } from "../../krm/yaml/write.ts";
import type { Context } from "../cli/context.ts";
import { UsageError } from "../cli/exit-codes.ts";

export interface WebhookOptions {
  readonly listen: WebhookSpec["listen"];
  readonly cert?: string;
  readonly key?: string;
  readonly selfSigned?: string | true;
  readonly dnsName?: string | true;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly allowExec?: boolean;
  readonly logFormat: "json" | "logfmt";
  readonly printCrdPatch?: boolean;
  readonly service?: ServiceName;
  readonly url?: URL;
  readonly ca?: string;
}

export function webhookSpec(options: WebhookOptions, env: Context["env"]): WebhookSpec {
  if (options.ca !== undefined) throw new UsageError("--ca goes with --print-crd-patch");
  return { listen: options.listen, certificate: certificateOf(options), cluster: clusterOf(options, env) };
}

function certificateOf({ cert, key, service, url }: WebhookOptions): CertificateFiles {
  if ((service ?? url) !== undefined) throw new UsageError("--service and --url go with --print-crd-patch");
  if (cert === undefined || key === undefined)
    throw new UsageError("say which certificate to serve: --cert FILE and --key FILE");
  return { cert, key };
}

/** These options existed when anp made certificates itself, and scripts may still use them. */
export function refuseSelfSigned({ selfSigned, dnsName }: WebhookOptions): void {
  if ((selfSigned ?? dnsName) === undefined) return;
  const message = "--self-signed and --dns-name are gone: anp makes no certificates";
  throw new UsageError(`${message}\n${INSTEAD}`);
}

const INSTEAD =
  "let cert-manager or OpenShift's service-ca make one, as deploy/webhook does, and serve it with --cert and --key; --ca names the CA that API servers trust";

/** A kubeconfig's default cluster is used only if an option names it; in a pod, its own cluster is used. */
function clusterOf({ kubeconfig, context, allowExec }: WebhookOptions, env: Context["env"]): WebhookSpec["cluster"] {
  if ((kubeconfig ?? context) !== undefined) return { kubeconfig, context, isOwn: allowExec };
  return env["KUBERNETES_SERVICE_HOST"] === undefined ? undefined : { context: "inClusterContext" };
}

export function parseListen(text: string): WebhookSpec["listen"] {
  const [, host, digits] = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    throw new InvalidArgumentError("Write host:port, such as 127.0.0.1:8443, or :8443 for every address.");
  return { host: host === "" ? undefined : withoutBrackets(host), port };
}

const LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
const SERVICE = new RegExp(`^(?<namespace>${LABEL})/(?<name>${LABEL})(:(?<port>\\d{1,5}))?$`);

export function parseService(text: string): ServiceName {
  const { namespace = "", name = "", port = "443" } = SERVICE.exec(text)?.groups ?? {};
  if (name === "" || Number(port) > 65_535 || Number(port) === 0)
    throw new InvalidArgumentError("Write namespace/name, such as karpenter/anp-webhook, or namespace/name:port.");
  return { namespace, name, port: Number(port) };
}

/** Checks what API servers require of it. */
export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const more = url === undefined ? "" : url.username + url.password + url.search + url.hash;
  if (url?.protocol !== "https:" || more !== "")
    throw new InvalidArgumentError("Write an address that begins with https://, without user, query and fragment.");
  if (url.pathname === "/") url.pathname = "/convert";
  return url;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

type Where = { readonly url: string } | { readonly service: ServiceName };

/**
 * The same patch for each of Karpenter's CRDs. A merge would keep the service of Karpenter's own webhook beside a URL,
 * which API servers refuse; `add` replaces the field.
 *
 * @param authority certificates as PEM text; without them, another tool such as cert-manager writes them into the CRDs
 */
export function crdPatch(where: Where, authority: string | undefined): string {
  const clientConfig = {
    ...("url" in where ? where : { service: { ...where.service, path: "/convert" } }),
    // PEM text is ASCII.
    ...(authority === undefined ? {} : { caBundle: btoa(authority) }),
  };
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
  return toYaml([{ op: "add", path: "/spec/conversion", value: conversion }]);
}
