/** WatchConfig v1alpha1: the hosted clusters that `anp watch` renders for, and its settings. */
import * as z from "zod/mini";
import { access, discover, objectName, profile, sharding, text, watchName } from "./discover-config.ts";
import { HOSTED_CLUSTER_NAME } from "../inputs/hosted-clusters.ts";
import { withKeywords } from "../schema/keywords.ts";
import { memoize } from "../schema/memoize.ts";
import { described, field, fieldsOf } from "./settings.ts";

/** The variable that names the cluster to a process that a watch starts for one pass of it. */
export const ALONE_VARIABLE = "ANP_PASS_ALONE";

const leaseNamespace = () =>
  z.string().check(z.maxLength(63), z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: "is not a namespace" }));

const leaderElection = () =>
  z.extend(access(" The management cluster's when both are left out."), {
    namespace: field(leaseNamespace(), "The namespace of the Lease. The pod's own when left out."),
    name: field(objectName(), "The name of the Lease. anp-watch when left out."),
  });

const source = () =>
  withKeywords(
    z
      .strictObject({
        paths: field(z.array(text()).check(z.minLength(1)), "Files and directories, relative to this file."),
        policyDir: field(text(), "The only folder that policies and other rules are read from."),
        live: field(z.literal(true), "The wrappers are read from the guest cluster."),
      })
      .check(
        z.refine(({ paths, live }) => (paths === undefined) !== (live === undefined), {
          error: "needs either paths or live: true",
        }),
      ),
    {
      description: "The source of the wrappers: files, or the guest cluster itself. The latter when left out.",
      oneOf: [{ required: ["paths"] }, { required: ["live"] }],
    },
  );

const cluster = () =>
  z.strictObject({
    name: described(
      watchName(),
      "The name in logs and metrics, and a part of the label of applied objects: it must never change.",
    ),
    namespace: described(
      z.string().check(z.regex(HOSTED_CLUSTER_NAME, { error: "is not a namespace: write the hosted control plane's" })),
      "The hosted control plane's namespace, such as clusters-c1.",
    ),
    management: field(access(), "The cluster that holds the policy. {} in a pod: its own cluster."),
    guest: described(access(), "The cluster that gets the objects."),
    source: z.optional(source()),
    profile: profile(),
    installCrds: field(z.boolean(), "Overrides spec.installCrds."),
  });

const spec = () => {
  const { listen, ...settings } = fieldsOf("watchConfig");
  return withKeywords(
    z
      .strictObject({
        clusters: field(
          z.array(cluster()).check(
            z.minLength(1),
            z.refine((clusters) => new Set(clusters.map(({ name }) => name)).size === clusters.length, {
              error: "has two clusters of one name",
            }),
          ),
          "The hosted clusters. Their names must differ.",
        ),
        discover: field(discover(), "Discover the hosted clusters of a management cluster, instead of spec.clusters."),
        sharding: field(sharding(), "Share the discovered clusters among all replicas."),
        workers: field(z.unknown(), "Without effect: there are no worker threads any more. Leave it out."),
        renderConfig: field(text(), "The file of a RenderConfig for all clusters, relative to this file."),
        ...settings,
        leaderElection: field(leaderElection(), "Work only while holding a Lease, so that several replicas may run."),
        listen,
      })
      .check(
        z.refine(({ clusters, discover }) => (clusters === undefined) !== (discover === undefined), {
          error: "needs either clusters or discover",
        }),
        z.refine(({ sharding, discover }) => sharding === undefined || discover !== undefined, {
          error: "has sharding, which is only valid with discover",
        }),
        z.refine(({ sharding, leaderElection }) => sharding === undefined || leaderElection === undefined, {
          error: "has sharding, which elects a leader for each shard: leave leaderElection out",
        }),
      ),
    {
      oneOf: [{ required: ["clusters"] }, { required: ["discover"] }],
      dependentRequired: { sharding: ["discover"] },
    },
  );
};

/** As in docs/design.md#own-kinds. */
export const watchConfigSchema = memoize(() =>
  withKeywords(
    z.strictObject({
      apiVersion: z.literal("anp.hypershift.openshift.io/v1alpha1"),
      kind: z.literal("WatchConfig"),
      metadata: z.optional(z.looseObject({})),
      spec: spec(),
    }),
    {
      title: "WatchConfig",
      description: "The hosted clusters that anp watch renders for, and its settings (docs/watch.md).",
    },
  ),
);

export type WatchConfig = z.output<ReturnType<typeof watchConfigSchema>>;

/** The settings of a discovered hosted cluster, as in docs/watch-fleet.md#settings-of-one-cluster. */
export const clusterSettingsSchema = memoize(() =>
  z.strictObject({
    ...fieldsOf("cluster"),
    /** The `spec` of a RenderConfig, instead of the one for all clusters. A pass validates it. */
    renderConfig: z.optional(z.looseObject({})),
  }),
);

export type ClusterSettings = z.output<ReturnType<typeof clusterSettingsSchema>>;
