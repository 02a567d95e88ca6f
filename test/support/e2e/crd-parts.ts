/** Reads the kind and the only version of a CRD. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources: unknown;
  readonly schema: { readonly openAPIV3Schema: Readonly<Record<string, unknown>> };
}

export function kindOf({ spec = {} }: KubernetesObject): string {
  return (spec["names"] as { kind: string }).kind;
}

export function versionOf({ metadata, spec = {} }: KubernetesObject): Version {
  const [version, ...others] = spec["versions"] as Version[];
  if (version === undefined || others.length > 0) throw new Error(`${metadata?.name}: not one version`);
  return version;
}
