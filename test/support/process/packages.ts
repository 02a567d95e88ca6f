/** Packages as hosts keep them: files of a provider and of users in a fresh folder, and anp as a program on the PATH. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BIN, NODE } from "./built.ts";
import { policy, pool } from "./inputs.ts";

/** Comments, quotes and order that nobody may lose. */
const WEB = `# The shop's web servers.
kind: OpenshiftNodePool # a wrapper
apiVersion: karpenter.hypershift.openshift.io/v1beta1
metadata:
  name: "web"
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        - key: karpenter.sh/capacity-type
          operator: In
          values: [spot] # cheap
`;

export const PACKAGE = { "provider/policy.yaml": policy(), "users/web.yaml": WEB, "users/batch.yaml": pool("batch") };

/** A pool that its policy does not hold: an error. */
export const BYPASSING = {
  "provider/policy.yaml": policy("clusters-shop", "[a]", "example.com/team"),
  "users/web.yaml": pool("web", "[{key: example.com/team, operator: In, values: [b]}]"),
};

const ADMISSION = ["ec2nodeclass", "nodeclaim", "nodepool"];

/** The files that anp adds for these pools. */
export const renderedFiles = (folder: string, ...pools: string[]): string[] =>
  [
    ...pools.map((name) => `nodepool-${name}.yaml`),
    ...ADMISSION.map((name) => `validatingadmissionpolicy-karpenter.${name}.hypershift.io.yaml`),
    ...ADMISSION.map((name) => `validatingadmissionpolicybinding-karpenter-binding.${name}.hypershift.io.yaml`),
  ].map((name) => `${folder}/${name}`);

/** A folder with a program `anp` in it, for the PATH, or for a kustomization that names it. */
export function anpIn(folder: string): string {
  writeFileSync(join(folder, "anp"), `#!/bin/sh\nexec '${NODE}' '${BIN}' "$@"\n`);
  chmodSync(join(folder, "anp"), 0o755);
  return folder;
}

/** Every file below a folder with its text. */
export function textsIn(folder: string): Record<string, string> {
  const paths = filesIn(folder).toSorted();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

/** node's own walk goes through links as well. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
