/** The JSON patch that makes Karpenter's CRDs use the conversion webhook. */
import { toYaml } from "../../krm/yaml/write.ts";

export interface ServiceName {
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
