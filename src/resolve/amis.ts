/** Finds the machine images of a node class by architecture. */
import type { Sourced } from "./origin.ts";
import type { ResolvedInputs } from "./inputs.ts";

export interface Ami {
  readonly arch: "amd64" | "arm64";
  readonly ami: Sourced<string>;
}

/**
 * In the order amd64, arm64; empty if none is known. From the user-data Secret of the class, else from the
 * RenderConfig.
 *
 * @param nodeClass its name
 */
export function amisOf(nodeClass: string, { hidden, settings }: Pick<ResolvedInputs, "hidden" | "settings">): Ami[] {
  const secret = hidden.secrets.get(nodeClass);
  const configured = settings.config.hostedCluster?.amis;
  return (["amd64", "arm64"] as const).flatMap((arch) => {
    if (secret !== undefined) return secret.amis[arch] === undefined ? [] : [{ arch, ami: secret.amis[arch] }];
    const value = configured?.[arch];
    if (value === undefined || settings.resource === undefined) return [];
    return [
      { arch, ami: { value, from: { resource: settings.resource, path: ["spec", "hostedCluster", "amis", arch] } } },
    ];
  });
}
