/** Packages for KRM hosts: files of a provider and of users. */
import { policy, pool, rawPool } from "./inputs.ts";

/** Comments, quotes and order that must not be lost. */
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

/** NodePools that users write, rendered with `nodePools: Raw`. */
export const RAW_PACKAGE = {
  "provider/policy.yaml": policy(),
  "users/web.yaml": `# The shop's web servers.
kind: NodePool # of Karpenter
apiVersion: karpenter.sh/v1
metadata:
  name: "web"
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        # Cheap nodes.
        - key: karpenter.sh/capacity-type # of EC2
          operator: In
          values: [spot]
`,
  "users/batch.yaml": rawPool("batch"),
};

/** A pool that does not comply with its policy: an error. */
export const BYPASSING = {
  "provider/policy.yaml": policy("clusters-shop", "[a]", "example.com/team"),
  "users/web.yaml": pool("web", "[{key: example.com/team, operator: In, values: [b]}]"),
};

const ADMISSION = ["ec2nodeclass", "nodeclaim", "nodepool", "status"];

/** The files that anp adds for these pools. */
export const renderedFiles = (folder: string, ...pools: string[]): string[] =>
  [
    ...pools.map((name) => `nodepool-${name}.yaml`),
    ...ADMISSION.map((name) => `validatingadmissionpolicy-karpenter.${name}.hypershift.io.yaml`),
    ...ADMISSION.map((name) => `validatingadmissionpolicybinding-karpenter-binding.${name}.hypershift.io.yaml`),
  ].map((name) => `${folder}/${name}`);

/** The files that anp adds for NodePools that users write: these stay where they are. */
export const filesBesideRaw = (folder: string): string[] =>
  renderedFiles(folder).filter((path) => !path.includes(".nodepool."));
