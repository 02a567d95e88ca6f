/** Inputs of a size: the same wrappers for anp, and for kustomize with a similar patch. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { customResourceDefinition } from "../../../src/model/crds/crd.ts";
import { openshiftNodePoolResource } from "../../../src/model/pools/openshift-node-pool.ts";
import { DEFAULT_PROFILE } from "../../../src/model/crds/profile.ts";
import { BIN } from "../process/built.ts";

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

export interface Inputs {
  /** A folder with the policy and the wrappers in one file. */
  readonly anp: string;
  /** The file of the wrappers. */
  readonly file: string;
  /** A folder with the policy and a file for each wrapper; written on first use. */
  readonly files: () => string;
  /** The wrappers and a patch that adds the requirement of the policy. */
  readonly kustomize: string;
  /** The folder in which kubeconform finds the wrapper's schema. */
  readonly schemas: string;
  /** A program that is the KRM function. */
  readonly fn: string;
}

/** Writes all of them under `folder`. */
export function writeInputs(folder: string, wrappers: number): Inputs {
  const put = (path: string, text: string, mode?: number): string => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text, { mode });
    return whole;
  };
  const all = Array.from({ length: wrappers }, (_, index) => wrapper(index));
  put("anp/policy.yaml", POLICY);
  put("kustomize/pools.yaml", all.join("---\n"));
  put("kustomize/kustomization.yaml", KUSTOMIZATION);
  put("schemas/openshiftnodepool.json", JSON.stringify(wrapperSchema()));
  return {
    anp: join(folder, "anp"),
    file: put("anp/pools.yaml", all.join("---\n")),
    files: () => {
      put("files/policy.yaml", POLICY);
      for (const [index, text] of all.entries()) put(`files/pool-${index}.yaml`, text);
      return join(folder, "files");
    },
    kustomize: join(folder, "kustomize"),
    schemas: join(folder, "schemas/{{.ResourceKind}}.json"),
    fn: put("fn", `#!/bin/sh\nexec ${process.execPath} ${BIN} fn\n`, 0o755),
  };
}

/** As kubeconform's own converter makes it of a CRD. `-strict` refuses unknown fields; there are none. */
function wrapperSchema(): object {
  const { spec } = customResourceDefinition(openshiftNodePoolResource(DEFAULT_PROFILE)) as {
    spec: { versions: { schema: { openAPIV3Schema: object } }[] };
  };
  const [version] = spec.versions;
  if (version === undefined) throw new Error("the CRD has no version");
  return version.schema.openAPIV3Schema;
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
