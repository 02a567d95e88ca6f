/** Makes the JSON Schemas of anp's own files in schemas/, for editors and linters. */
import * as z from "zod/mini";
import { outputSchemas } from "./output-schemas.ts";
import { FINDING_CODES } from "../src/krm/finding-codes.ts";
import { karpenterResources } from "../src/model/ec2/karpenter-resources.ts";
import { configMapSchema } from "../src/model/function-config.ts";
import { jsonSchemaFile, jsonSchemaOf } from "../src/model/json-schema.ts";
import { policyResources, wrapperResources } from "../src/model/own-kinds.ts";
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

/** A Go duration. anp itself checks that it is a second or more. */
const DURATION = "^([0-9]+(\\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+$";

/** Descriptions by the path of the field, and rules that a model states as code. */
const WATCH_CONFIG: Readonly<Record<string, Addition>> = {
  "": {
    title: "WatchConfig",
    description: "The hosted clusters that anp watch renders for, and its settings (docs/watch.md).",
  },
  spec: {
    oneOf: [{ required: ["clusters"] }, { required: ["discover"] }],
    dependentRequired: { sharding: ["discover"] },
  },
  "spec.clusters": { description: "The hosted clusters. Their names must differ." },
  "spec.clusters[].name": {
    description: "The name in logs and metrics, and a part of the label of applied objects: it must never change.",
  },
  "spec.clusters[].namespace": { description: "The hosted control plane's namespace, such as clusters-c1." },
  "spec.clusters[].management": { description: "The cluster that holds the policy. {} in a pod: its own cluster." },
  "spec.clusters[].management.kubeconfig": { description: KUBECONFIG },
  "spec.clusters[].management.context": { description: CONTEXT },
  "spec.clusters[].guest": { description: "The cluster that gets the objects." },
  "spec.clusters[].guest.kubeconfig": { description: KUBECONFIG },
  "spec.clusters[].guest.context": { description: CONTEXT },
  "spec.clusters[].source": {
    description: "The source of the wrappers: files, or the guest cluster itself. The latter when left out.",
    oneOf: [{ required: ["paths"] }, { required: ["live"] }],
  },
  "spec.clusters[].source.paths": { description: "Files and directories, relative to this file." },
  "spec.clusters[].source.policyDir": { description: "The only folder that policies and other rules are read from." },
  "spec.clusters[].source.live": { description: "The wrappers are read from the guest cluster." },
  "spec.clusters[].profile": { description: "The Karpenter to render for. The RenderConfig's when left out." },
  "spec.clusters[].installCrds": { description: "Overrides spec.installCrds." },
  "spec.discover": { description: "Discover the hosted clusters of a management cluster, instead of spec.clusters." },
  "spec.discover.management": { description: "The management cluster. In a pod its own when left out." },
  "spec.discover.management.kubeconfig": { description: KUBECONFIG },
  "spec.discover.management.context": { description: CONTEXT },
  "spec.discover.selector": {
    description: "Selects HostedControlPlanes by labels, such as tier=gold. All when left out.",
  },
  "spec.discover.kubeconfigSecret": { description: "The Secret of each hosted control plane's namespace." },
  "spec.discover.kubeconfigSecret.name": { description: "hcco-kubeconfig when left out." },
  "spec.discover.kubeconfigSecret.key": { description: "kubeconfig when left out." },
  "spec.discover.server": {
    description: "How the guest's API server is reached. As in the kubeconfig when left out.",
  },
  "spec.discover.server.address": {
    description: "An https address; {namespace} is replaced by the hosted control plane's.",
    pattern: "^https://",
  },
  "spec.discover.server.tlsServerName": { description: "The server name in the certificate." },
  "spec.discover.allowedServers": {
    description:
      "Servers that a kubeconfig may name: ranges of addresses, which are enforced on each connection, or names with their subdomains. Any when left out.",
  },
  "spec.discover.profile": { description: "The Karpenter to render for. The RenderConfig's when left out." },
  "spec.discover.names": {
    description: "Names of watches that differ from their namespace, by namespace: those of an earlier spec.clusters.",
  },
  "spec.sharding": { description: "Share the discovered clusters among all replicas." },
  "spec.sharding.shards": { description: "How many shards there are; the same for all replicas. 32 when left out." },
  "spec.sharding.namespace": { description: "The namespace of the Leases. The pod's own when left out." },
  "spec.sharding.name": { description: "The prefix of the Leases' names. anp-watch when left out." },
  "spec.sharding.range": {
    description: "The shards that this replica may take, such as 0-15. All when left out.",
    pattern: "^[0-9]+-[0-9]+$",
  },
  "spec.workers": { description: "Without effect: there are no worker threads any more. Leave it out." },
  "spec.renderConfig": { description: "The file of a RenderConfig for all clusters, relative to this file." },
  "spec.interval": { description: "The time between two passes without changes. 1m when left out.", pattern: DURATION },
  "spec.concurrency": { description: "The number of concurrent passes, over all clusters. 4 when left out." },
  "spec.maxPrune": {
    description: "If more NodePools and EC2NodeClasses than this have no wrapper, none is deleted. 5 when left out.",
  },
  "spec.onPolicyUnreadable": {
    description: "What to do if RBAC forbids reading the policy: Hold (when left out), or Permissive.",
  },
  "spec.nodeLimits": { description: "How far Hard limits on nodes are kept. Disruption when left out." },
  "spec.installCrds": {
    description:
      "Create the CRDs of policy and wrappers, and keep them as this version of anp has them. false when left out.",
  },
  "spec.leaderElection": { description: "Work only while holding a Lease, so that several replicas may run." },
  "spec.leaderElection.kubeconfig": { description: `${KUBECONFIG} The management cluster's when both are left out.` },
  "spec.leaderElection.context": { description: CONTEXT },
  "spec.leaderElection.namespace": { description: "The namespace of the Lease. The pod's own when left out." },
  "spec.leaderElection.name": { description: "The name of the Lease. anp-watch when left out." },
  "spec.listen": {
    description:
      "The address of /healthz, /readyz and /metrics, such as 127.0.0.1:8080 or :8080. Not served when left out.",
    pattern: "^(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]*):[0-9]{1,5}$",
  },
};

const TAGS = "Tags that the platform puts on every resource.";

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
  "spec.hostedCluster": {
    description: "Values of the hosted cluster's own objects, for renderings without those objects.",
  },
  "spec.hostedCluster.namespace": { description: "The hosted control plane's namespace that this is for." },
  "spec.hostedCluster.region": { description: "The region for list prices." },
  "spec.hostedCluster.infraID": { description: "HostedControlPlane.spec.infraID." },
  "spec.hostedCluster.amis": { description: "The release's AMIs." },
  "spec.hostedCluster.amis.amd64": { description: "For amd64." },
  "spec.hostedCluster.amis.arm64": { description: "For arm64." },
  "spec.hostedCluster.resourceTags": { description: TAGS },
  "spec.hostedCluster.resourceTags[].key": { description: "The tag's key." },
  "spec.hostedCluster.resourceTags[].value": { description: "The tag's value." },
  "spec.hostedCluster.resourceTags[].overridePolicy": { description: "Whether a node class may set another value." },
  "spec.hostedCluster.instanceProfile": { description: "The instance profile of the nodes." },
  "spec.rootVolume": { description: "The root volume if neither policy nor wrapper gives one." },
  "spec.rootVolume.volumeSize": { description: "Such as 75Gi." },
  "spec.rootVolume.volumeType": { description: "Such as gp3." },
  "spec.rootVolume.encrypted": { description: "Whether EBS encrypts it." },
  "spec.rootVolume.iops": { description: "Operations a second." },
  "spec.rootVolume.throughput": { description: "MiB a second." },
  "spec.nodeLabels": { description: "Labels on all nodes." },
  "spec.onBypass": {
    description:
      "What becomes of a pool that would bypass the policy: it is not rendered (Fail), or gets no new nodes (Block).",
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
      "Folders of the hosted cluster's wrappers, relative to the RenderConfig. Requires hostedCluster.namespace.",
  },
  "spec.paths[]": { pattern: "^[^/]" },
  "spec.guardRails": { description: "The provider with guard rails for check to add." },
  "spec.requirePolicy": { description: "A hosted cluster without a policy is an error." },
  "spec.priceCeiling": { description: "The maximum price of a node of a pool." },
  "spec.priceCeiling.perHour": { description: "The price per hour, at list price.", exclusiveMinimum: 0 },
  "spec.priceCeiling.currency": { description: "USD when left out. Prices in another currency are not compared." },
  "spec.maxExpireAfter": { description: "Nodes expire at this age at the latest, such as 168h." },
  "spec.maxTerminationGracePeriod": {
    description: "Terminating nodes are gone after this time at the latest, such as 1h.",
  },
  "spec.minDriftedBudget": {
    description:
      "The minimum of drifted nodes that budgets let go at once: a number of nodes or a percentage, as text.",
  },
  "spec.rules": { description: "Severities of findings, by code (docs/findings.md).", ...rulesByCode() },
  "spec.baseline": { description: "The file of a baseline." },
  "spec.catalogue": { description: "The file of a catalogue of instance types, for the hosted cluster's region." },
};

const FLAG = '"true" or "false".';

const FUNCTION_CONFIG: Readonly<Record<string, Addition>> = {
  "": {
    title: "functionConfig",
    description:
      "The ConfigMap that configures anp fn (docs/krm-function.md); it may hold settings of a RenderConfig too.",
  },
  apiVersion: { const: "v1" },
  kind: { const: "ConfigMap" },
  "data.hostedCluster": { description: "The hosted control plane's namespace, if the input has several." },
  "data.profile": { description: "The Karpenter to render for." },
  "data.onBypass": { description: "What becomes of a pool that would bypass the policy: Fail or Block." },
  "data.requirePolicy": { description: `A hosted cluster without a policy is an error: ${FLAG}` },
  "data.policyDir": { description: "A folder of the package: rules are read only there." },
  "data.dir": { description: "The folder of the package for generated objects." },
  "data.allowEmpty": { description: `Remove generated objects when no wrapper is left: ${FLAG}` },
  "data.localConfig": { description: `Mark wrappers and rules, so that hosts do not apply them: ${FLAG}` },
  "data.validate": { description: `Report findings and change nothing: ${FLAG}` },
  "data.guard": {
    description:
      "Write the guard of the AutoNodePolicy for Karpenter's own NodePools, and render nothing (docs/guard.md).",
  },
};

/** The files of schemas/: their content by name. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    "watch-config.schema.json": schemaOf(watchConfigSchema(), WATCH_CONFIG),
    "render-config.schema.json": schemaOf(renderConfigSchema(), RENDER_CONFIG),
    "function-config.schema.json": schemaOf(configMapSchema(), FUNCTION_CONFIG),
    ...outputSchemas(),
  };
}

/** The files of schemas/ by path: for each profile the output of `anp crds --karpenter --json-schemas`. */
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
    // The bounds of JavaScript's safe integers are not rules of the API; formats and map types are left to the API
    // server.
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
