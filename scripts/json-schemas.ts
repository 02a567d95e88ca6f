/** The models of anp's own files in, their JSON Schemas for editors and linters out: what is in schemas/. */
import * as z from "zod/mini";
import { outputSchemas } from "./output-schemas.ts";
import { FINDING_CODES } from "../src/krm/finding-codes.ts";
import { karpenterResources } from "../src/model/ec2/karpenter-resources.ts";
import { configMapSchema } from "../src/model/function-config.ts";
import { jsonSchemaFile, jsonSchemaOf } from "../src/model/json-schema.ts";
import { policyResources, wrapperResources } from "../src/model/our-resources.ts";
import { PROFILES } from "../src/model/profile.ts";
import { renderConfigSchema } from "../src/model/render-config.ts";
import { watchConfigSchema } from "../src/model/watch-config.ts";

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  items?: Schema;
};

interface Addition extends Partial<Schema> {
  readonly description?: string;
}

const OWN = { const: "anp.hypershift.openshift.io/v1alpha1" };

const KUBECONFIG = "The file of a kubeconfig, relative to this one. As kubectl finds it when left out.";
const CONTEXT = "The context of the kubeconfig. The current one when left out.";

/** A Go duration. That it is a second or more, anp itself says. */
const DURATION = "^([0-9]+(\\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+$";

/** By the path of the field: what people are told of it, and rules that a model states as code. */
const WATCH_CONFIG: Readonly<Record<string, Addition>> = {
  "": { title: "WatchConfig", description: "The hosted clusters that anp watch keeps, and how (docs/watch.md)." },
  spec: {
    oneOf: [{ required: ["clusters"] }, { required: ["discover"] }],
    dependentRequired: { sharding: ["discover"], workers: ["discover"] },
  },
  "spec.clusters": { description: "The hosted clusters. No two have one name." },
  "spec.clusters[].name": {
    description: "In logs and metrics, and a part of the label of what is applied: it may never change.",
  },
  "spec.clusters[].namespace": { description: "The hosted control plane's namespace, such as clusters-c1." },
  "spec.clusters[].management": { description: "The cluster that holds the policy. {} in a pod: its own cluster." },
  "spec.clusters[].management.kubeconfig": { description: KUBECONFIG },
  "spec.clusters[].management.context": { description: CONTEXT },
  "spec.clusters[].guest": { description: "The cluster that is applied to." },
  "spec.clusters[].guest.kubeconfig": { description: KUBECONFIG },
  "spec.clusters[].guest.context": { description: CONTEXT },
  "spec.clusters[].source": {
    description: "Where the wrappers come from: files, or the guest cluster itself, as when left out.",
    oneOf: [{ required: ["paths"] }, { required: ["live"] }],
  },
  "spec.clusters[].source.paths": { description: "Files and directories, relative to this file." },
  "spec.clusters[].source.policyDir": { description: "Policies and other rules of files are read only there." },
  "spec.clusters[].source.live": { description: "The wrappers are read from the guest cluster." },
  "spec.clusters[].profile": { description: "The Karpenter to render for. The RenderConfig's when left out." },
  "spec.clusters[].installCrds": { description: "Wins over spec.installCrds." },
  "spec.discover": { description: "Find the hosted clusters of a management cluster, in place of spec.clusters." },
  "spec.discover.management": { description: "The cluster that has them. In a pod its own when left out." },
  "spec.discover.management.kubeconfig": { description: KUBECONFIG },
  "spec.discover.management.context": { description: CONTEXT },
  "spec.discover.selector": { description: "Of labels of HostedControlPlanes, such as tier=gold. All when left out." },
  "spec.discover.kubeconfigSecret": { description: "The Secret of each hosted control plane's namespace." },
  "spec.discover.kubeconfigSecret.name": { description: "hcco-kubeconfig when left out." },
  "spec.discover.kubeconfigSecret.key": { description: "kubeconfig when left out." },
  "spec.discover.server": {
    description: "How the guest's API server is reached. As the kubeconfig says when left out.",
  },
  "spec.discover.server.address": {
    description: "Over https; {namespace} stands for the hosted control plane's.",
    pattern: "^https://",
  },
  "spec.discover.server.tlsServerName": { description: "The name that its certificate has." },
  "spec.discover.profile": { description: "The Karpenter to render for. The RenderConfig's when left out." },
  "spec.discover.names": {
    description: "The names of watches that are not their namespace, by namespace: those of an earlier spec.clusters.",
  },
  "spec.sharding": { description: "Share the clusters that are found out among all replicas." },
  "spec.sharding.shards": { description: "How many shards there are; the same for all replicas. 32 when left out." },
  "spec.sharding.namespace": { description: "Of the Leases. The pod's own when left out." },
  "spec.sharding.name": { description: "Begins the names of the Leases. anp-watch when left out." },
  "spec.sharding.range": {
    description: "Of the shards care for these only, such as 0-15.",
    pattern: "^[0-9]+-[0-9]+$",
  },
  "spec.workers": { description: "The threads that work on the clusters that are found." },
  "spec.workers.count": {
    description: "As many as processors and at most 4 when left out; 0: the main thread does all.",
  },
  "spec.workers.memory": {
    description: "Of each, such as 256Mi. A share of the container's memory limit when left out.",
    pattern: "^[1-9][0-9]{0,5}(Mi|Gi)$",
  },
  "spec.renderConfig": { description: "The file of a RenderConfig for all clusters, relative to this file." },
  "spec.interval": { description: "Between two passes when nothing changes. 1m when left out.", pattern: DURATION },
  "spec.concurrency": { description: "Passes at once, over all clusters. 4 when left out." },
  "spec.maxPrune": {
    description: "Above so many NodePools and EC2NodeClasses without a wrapper, none is deleted. 5 when left out.",
  },
  "spec.onPolicyUnreadable": {
    description: "When RBAC forbids to read the policy: Hold (when left out), or Permissive.",
  },
  "spec.nodeLimits": { description: "How far Hard limits on nodes are kept. Disruption when left out." },
  "spec.installCrds": {
    description:
      "Make the CRDs of policy and wrappers, and keep them as this version of anp has them. false when left out.",
  },
  "spec.leaderElection": { description: "Work only while holding a Lease, so that several replicas may run." },
  "spec.leaderElection.kubeconfig": { description: `${KUBECONFIG} The management cluster's when both are left out.` },
  "spec.leaderElection.context": { description: CONTEXT },
  "spec.leaderElection.namespace": { description: "Of the Lease. The pod's own when left out." },
  "spec.leaderElection.name": { description: "Of the Lease. anp-watch when left out." },
  "spec.listen": {
    description:
      "Where /healthz, /readyz and /metrics are served, such as 127.0.0.1:8080 or :8080. Nowhere when left out.",
    pattern: "^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]*):[0-9]{1,5}$",
  },
};

const TAGS = "Tags that the platform puts on everything.";

const RENDER_CONFIG: Readonly<Record<string, Addition>> = {
  "": { title: "RenderConfig", description: "How a hosted cluster is rendered (docs/render-config.md)." },
  apiVersion: OWN,
  kind: { const: "RenderConfig" },
  metadata: { properties: { namespace: { not: {}, description: "Write spec.hostedCluster.namespace." } } },
  spec: {
    dependentSchemas: {
      paths: { required: ["hostedCluster"], properties: { hostedCluster: { required: ["namespace"] } } },
    },
  },
  "spec.profile": { description: "The Karpenter to render for. hypershift when left out." },
  "spec.hostedCluster": { description: "What only the hosted cluster's own objects say, where those are not at hand." },
  "spec.hostedCluster.namespace": { description: "The hosted control plane's namespace that this is for." },
  "spec.hostedCluster.region": { description: "The region whose list prices are told." },
  "spec.hostedCluster.infraID": { description: "HostedControlPlane.spec.infraID." },
  "spec.hostedCluster.amis": { description: "The release's AMIs." },
  "spec.hostedCluster.amis.amd64": { description: "For amd64." },
  "spec.hostedCluster.amis.arm64": { description: "For arm64." },
  "spec.hostedCluster.resourceTags": { description: TAGS },
  "spec.hostedCluster.resourceTags[].key": { description: "The tag's key." },
  "spec.hostedCluster.resourceTags[].value": { description: "The tag's value." },
  "spec.hostedCluster.resourceTags[].overridePolicy": { description: "Whether a node class may set another value." },
  "spec.hostedCluster.instanceProfile": { description: "The instance profile of the nodes." },
  "spec.rootVolume": { description: "The root volume where neither policy nor wrapper gives one." },
  "spec.rootVolume.volumeSize": { description: "Such as 75Gi." },
  "spec.rootVolume.volumeType": { description: "Such as gp3." },
  "spec.rootVolume.encrypted": { description: "Whether EBS encrypts it." },
  "spec.rootVolume.iops": { description: "Operations a second." },
  "spec.rootVolume.throughput": { description: "MiB a second." },
  "spec.nodeLabels": { description: "Labels on all nodes." },
  "spec.onBypass": {
    description: "A pool that would get round the policy: no pool (Fail), or one without new nodes (Block).",
  },
  "spec.admission": { description: "The admission policies that guard what is rendered." },
  "spec.admission.mode": { description: "SpecEqual when left out." },
  "spec.admission.allowedWriters": { description: "Users beside system:hosted-cluster-config who may write." },
  "spec.admission.nodeClaims": { description: "OwnedOnly when left out: a NodeClaim without a NodePool is denied." },
  "spec.admission.karpenterUsers": {
    description: "The users that Karpenter makes NodeClaims as. system:admin in profile hypershift, when left out.",
  },
  "spec.ec2NodeClasses": { description: "Skip: HyperShift's operator makes the node classes." },
  "spec.paths": {
    description:
      "Folders of the hosted cluster's wrappers, from that of the RenderConfig; with hostedCluster.namespace.",
  },
  "spec.paths[]": { pattern: "^[^/]" },
  "spec.guardRails": { description: "The provider whose guard rails check adds." },
  "spec.requirePolicy": { description: "A hosted cluster without a policy is an error." },
  "spec.priceCeiling": { description: "What a node of a pool should cost at most." },
  "spec.priceCeiling.perHour": { description: "An hour, at list price.", exclusiveMinimum: 0 },
  "spec.priceCeiling.currency": { description: "USD when left out. Prices in another one are not compared." },
  "spec.maxExpireAfter": { description: "Nodes expire no later than so long after they were made, such as 168h." },
  "spec.maxTerminationGracePeriod": { description: "Nodes that go are gone no later than so long after, such as 1h." },
  "spec.minDriftedBudget": {
    description: "Budgets let at least so many drifted nodes go at once: a number of nodes or a percentage, as text.",
  },
  "spec.rules": { description: "Severities of findings, by code (docs/findings.md).", ...rulesByCode() },
  "spec.baseline": { description: "The file of a baseline." },
  "spec.catalogue": { description: "The file of a catalogue of instance types, of the hosted cluster's region." },
};

const FLAG = '"true" or "false".';

const FUNCTION_CONFIG: Readonly<Record<string, Addition>> = {
  "": {
    title: "functionConfig",
    description:
      "The ConfigMap that tells anp fn what to do (docs/krm-function.md); a RenderConfig may stand there too.",
  },
  apiVersion: { const: "v1" },
  kind: { const: "ConfigMap" },
  "data.hostedCluster": { description: "The hosted control plane's namespace, where the input has several." },
  "data.profile": { description: "The Karpenter to render for." },
  "data.onBypass": { description: "A pool that would get round the policy: Fail or Block." },
  "data.requirePolicy": { description: `A hosted cluster without a policy is an error: ${FLAG}` },
  "data.policyDir": { description: "A folder of the package: rules are read only there." },
  "data.dir": { description: "The folder of the package that generated objects go to." },
  "data.allowEmpty": { description: `Remove what was generated when no wrapper is left: ${FLAG}` },
  "data.localConfig": { description: `Mark wrappers and rules, so that hosts do not apply them: ${FLAG}` },
  "data.validate": { description: `Say what is wrong, and change nothing: ${FLAG}` },
  "data.guard": {
    description:
      "Write the guard of the AutoNodePolicy for Karpenter's own NodePools, and render nothing (docs/guard.md).",
  },
};

/** Names of files in schemas/, with their contents. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    "watch-config.schema.json": schemaOf(watchConfigSchema(), WATCH_CONFIG),
    "render-config.schema.json": schemaOf(renderConfigSchema(), RENDER_CONFIG),
    "function-config.schema.json": schemaOf(configMapSchema(), FUNCTION_CONFIG),
    ...outputSchemas(),
  };
}

/** Paths in schemas/, with their contents: for each profile what `anp crds --karpenter --json-schemas` writes. */
export function kindSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    PROFILES.flatMap((profile) =>
      [...policyResources(), ...wrapperResources(profile), ...karpenterResources(profile)].map((one) => [
        `${profile}/${one.group}/${jsonSchemaFile(one)}`,
        jsonSchemaOf(one),
      ]),
    ),
  );
}

function schemaOf(model: z.core.$ZodType, additions: Readonly<Record<string, Addition>>): object {
  const schema = z.toJSONSchema(model, { io: "input", unrepresentable: "any", reused: "inline" }) as Schema;
  const used = new Set<string>();
  const complete = (at: Schema, path: string): void => {
    // The bounds of JavaScript's safe integers are no rule of ours, and formats and map types are the API server's business.
    if (at["maximum"] === Number.MAX_SAFE_INTEGER) delete at["maximum"];
    delete at["x-kubernetes-map-type"];
    delete at["format"];
    for (const [name, inner] of Object.entries(at.properties ?? {}))
      complete(inner, path === "" ? name : `${path}.${name}`);
    if (at.items !== undefined) complete(at.items, `${path}[]`);
    const addition = additions[path];
    if (addition === undefined) return;
    used.add(path);
    Object.assign(at, addition);
  };
  complete(schema, "");
  const unused = Object.keys(additions).filter((path) => !used.has(path));
  if (unused.length > 0) throw new Error(`no such fields: ${unused.join(", ")}`);
  return schema;
}

/** Some codes have one severity only. */
function rulesByCode(): Addition {
  const levels = ["error", "warning", "info", "off"];
  const entries = Object.entries(FINDING_CODES).map(
    ([code, entry]: [string, { severity: string; fixed?: true; most?: string }]) => [
      code,
      { enum: entry.fixed === true ? [entry.severity] : levels.slice(levels.indexOf(entry.most ?? "error")) },
    ],
  );
  return {
    properties: Object.fromEntries(entries) as Record<string, Schema>,
    additionalProperties: false,
    propertyNames: undefined,
  };
}
