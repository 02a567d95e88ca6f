/** Inputs of a size: the same wrappers for anp, and for kustomize with the patch that does the nearest work. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const POLICY = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata:
  name: default
  namespace: clusters-bench
spec:
  nodePoolDefaults:
    requirements:
      - key: kubernetes.io/arch
        operator: In
        values: [amd64]
`;

const wrapper = (index: number): string => `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: OpenshiftNodePool
metadata:
  name: pool-${index}
spec:
  template:
    metadata:
      labels:
        example.com/team: team-${index % 17}
    spec:
      nodeClassRef:
        group: karpenter.hypershift.openshift.io
        kind: OpenshiftEC2NodeClass
        name: default
      requirements:
        - key: node.kubernetes.io/instance-type
          operator: In
          values: [m5.xlarge, m5.2xlarge, m5.4xlarge]
        - key: karpenter.sh/capacity-type
          operator: In
          values: [spot, on-demand]
      expireAfter: 720h
  limits:
    cpu: "${index + 1}"
`;

/** Writes `<folder>/anp` (policy and wrappers) and `<folder>/kustomize` (wrappers and a patch that adds the requirement). */
export function writeInputs(folder: string, wrappers: number): { anp: string; kustomize: string } {
  const anp = join(folder, "anp");
  const kustomize = join(folder, "kustomize");
  mkdirSync(anp, { recursive: true });
  mkdirSync(kustomize, { recursive: true });
  const text = Array.from({ length: wrappers }, (_, index) => wrapper(index)).join("---\n");
  writeFileSync(join(anp, "policy.yaml"), POLICY);
  writeFileSync(join(anp, "pools.yaml"), text);
  writeFileSync(join(kustomize, "pools.yaml"), text);
  writeFileSync(join(kustomize, "kustomization.yaml"), KUSTOMIZATION);
  return { anp, kustomize };
}

const KUSTOMIZATION = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - pools.yaml
patches:
  - target:
      kind: OpenshiftNodePool
    patch: |-
      - op: add
        path: /spec/template/spec/requirements/0
        value: {key: kubernetes.io/arch, operator: In, values: [amd64]}
`;
