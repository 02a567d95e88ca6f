/** A repository of many hosted clusters in one of the layouts that anp takes, as files. */
import { policy, pool } from "../process/inputs.ts";

type Files = Readonly<Record<string, string>>;

/** How a repository is laid out, and which arguments a run gets for it. */
export interface Layout {
  readonly name: string;
  readonly files: Files;
  readonly path: string;
  readonly policyDir: string;
  /** Where the users of a hosted cluster may write. */
  readonly usersOf: (cluster: string) => string;
  /** The file of a hosted cluster's policy. */
  readonly policyOf: (cluster: string) => string;
}

export const CLUSTERS = Array.from({ length: 40 }, (_, index) => `c${String(index).padStart(2, "0")}`);
export const POOLS = Array.from({ length: 10 }, (_, index) => `pool-${index}`);

const ON_DEMAND = "[{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]";

export const configOf = (cluster: string, path: string): string => `apiVersion: anp.hypershift.openshift.io/v1alpha1
kind: RenderConfig
metadata: {name: ${cluster}}
spec:
  hostedCluster: {namespace: clusters-${cluster}}
  paths: [${path}]
  requirePolicy: true
`;

const rulesOf = (cluster: string): string => policy(`clusters-${cluster}`);
const poolsIn = (folder: string): [string, string][] =>
  POOLS.map((name) => [`${folder}/${name}.yaml`, pool(name, ON_DEMAND)]);

const apart: Layout = {
  name: "policies in a folder of their own",
  files: Object.fromEntries(
    CLUSTERS.flatMap((cluster) => [
      [`clusters/policies/${cluster}.yaml`, `${rulesOf(cluster)}---\n${configOf(cluster, `../${cluster}`)}`],
      ...poolsIn(`clusters/${cluster}/pools`),
    ]),
  ),
  path: "clusters",
  policyDir: "clusters/policies",
  usersOf: (cluster) => `clusters/${cluster}`,
  policyOf: (cluster) => `clusters/policies/${cluster}.yaml`,
};

const beside: Layout = {
  name: "policies beside the pools",
  files: Object.fromEntries(
    CLUSTERS.flatMap((cluster) => [
      [`clusters/${cluster}/policy/policy.yaml`, rulesOf(cluster)],
      ...poolsIn(`clusters/${cluster}/pools`),
    ]),
  ),
  path: "clusters",
  policyDir: "clusters/*/policy",
  usersOf: (cluster) => `clusters/${cluster}/pools`,
  policyOf: (cluster) => `clusters/${cluster}/policy/policy.yaml`,
};

/** The base and the overlays are in the repository too, but no argument names them. */
const built: Layout = {
  name: "what kustomize has built of a base and overlays",
  files: Object.fromEntries([
    ["base/kustomization.yaml", "resources: [pool.yaml]\n"],
    ["base/pool.yaml", pool()],
    ...CLUSTERS.flatMap((cluster) => [
      [`overlays/${cluster}/kustomization.yaml`, "resources: [../../base]\n"],
      [`policies/${cluster}/policy.yaml`, rulesOf(cluster)],
      [`policies/${cluster}/config.yaml`, configOf(cluster, `../../built/${cluster}`)],
      [`built/${cluster}/all.yaml`, POOLS.map((name) => pool(name, ON_DEMAND)).join("---\n")],
    ]),
  ]),
  path: "built",
  policyDir: "policies",
  usersOf: (cluster) => `built/${cluster}`,
  policyOf: (cluster) => `policies/${cluster}/policy.yaml`,
};

export const LAYOUTS: readonly Layout[] = [apart, beside, built];
