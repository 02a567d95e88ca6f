/** Packages for KRM hosts: files of a provider and of users. */
import { policy, pool } from "./inputs.ts";

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
