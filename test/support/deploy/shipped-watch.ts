/** The watch of deploy/management as its pods run it: the shipped configuration in, a process with the shipped roles' credentials out. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { type AnpProcess, startAnp } from "../watch/anp-process.ts";
import type { Rig } from "../watch/rig.ts";
import { builtManifests } from "./built-manifests.ts";
import type { Installed } from "./installed.ts";

/** What the Deployment says to its container, with the files where they are here. */
export async function startShippedWatch(
  rig: Rig,
  { kubeconfigs }: Installed,
  { renderConfig, more = [] }: { readonly renderConfig: string; readonly more?: readonly string[] },
): Promise<AnpProcess> {
  const built = await builtManifests("deploy/management");
  const find = (kind: string) => built.find((object) => object.kind === kind)!;
  const config = join(rig.folder, "watch.yaml");
  const { "watch.yaml": text = "" } = find("ConfigMap")["data"] as Record<string, string>;
  const here = text
    .replace("/var/run/anp/guests/c1.kubeconfig", kubeconfigs.guest)
    // Any port that is free, and none that others can reach.
    .replace('listen: ":8080"', 'listen: "127.0.0.1:0"');
  writeFileSync(config, `${here}  renderConfig: ${renderConfig}\n`);
  const args = argsOf(find("Deployment")).map((arg) => (arg === "/etc/anp/watch.yaml" ? config : arg));
  // Where no kubeconfig is named, this one is what the service account is in a pod.
  return startAnp([...args, ...more], { KUBECONFIG: kubeconfigs.management });
}

function argsOf(deployment: KubernetesObject): readonly string[] {
  const { template } = deployment.spec as { template: { spec: { containers: { args: string[] }[] } } };
  return template.spec.containers[0]?.args ?? [];
}
