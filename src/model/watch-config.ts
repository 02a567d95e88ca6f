/** WatchConfig v1alpha1: the hosted clusters that `anp watch` renders for, and its settings. */
import * as z from "zod/mini";
import { discover, sharding } from "./discover-config.ts";
import { HOSTED_CLUSTER_NAME } from "./hosted-clusters.ts";
import { parseListenAddress } from "./listen-address.ts";
import { memoize } from "./memoize.ts";
import { PROFILES } from "./profile.ts";
import { NODE_LIMITS, watchDuration } from "./watch-fields.ts";

const text = () => z.string().check(z.minLength(1));

/** A kubeconfig: without a file as kubectl finds it, without a context the current one. */
const access = () => z.strictObject({ kubeconfig: z.optional(text()), context: z.optional(text()) });

const listen = () =>
  z.string().check(
    z.refine((value) => parseListenAddress(value) !== undefined, {
      error: "is not an address to listen on: write 127.0.0.1:8080, or :8080 for all addresses",
    }),
  );

/** The name of a Kubernetes object, such as a Lease. */
const objectName = () =>
  z
    .string()
    .check(
      z.maxLength(253),
      z.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, { error: "is not a name: lower-case letters, digits, - and . only" }),
    );

const namespace = () =>
  z.string().check(z.maxLength(63), z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: "is not a namespace" }));

const leaderElection = () =>
  z.extend(access(), {
    /** The namespace of the Lease; the pod's own when left out. */
    namespace: z.optional(namespace()),
    name: z.optional(objectName()),
  });

const cluster = () =>
  z.strictObject({
    name: z
      .string()
      .check(
        z.maxLength(63),
        z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: "is not a name: lower-case letters, digits and - only" }),
      ),
    namespace: z
      .string()
      .check(z.regex(HOSTED_CLUSTER_NAME, { error: "is not a namespace: write the hosted control plane's" })),
    management: z.optional(access()),
    guest: access(),
    source: z.optional(
      z
        .strictObject({
          paths: z.optional(z.array(text()).check(z.minLength(1))),
          policyDir: z.optional(text()),
          live: z.optional(z.literal(true)),
        })
        .check(
          z.refine(({ paths, live }) => (paths === undefined) !== (live === undefined), {
            error: "needs either paths or live: true",
          }),
        ),
    ),
    profile: z.optional(z.enum(PROFILES)),
    /** Overrides the setting for all clusters. */
    installCrds: z.optional(z.boolean()),
  });

/** As in docs/design.md#own-kinds. */
export const watchConfigSchema = memoize(() =>
  z.strictObject({
    apiVersion: z.literal("anp.hypershift.openshift.io/v1alpha1"),
    kind: z.literal("WatchConfig"),
    metadata: z.optional(z.looseObject({})),
    spec: z
      .strictObject({
        clusters: z.optional(
          z.array(cluster()).check(
            z.minLength(1),
            z.refine((clusters) => new Set(clusters.map(({ name }) => name)).size === clusters.length, {
              error: "has two clusters of one name",
            }),
          ),
        ),
        /** Instead of a list: the hosted clusters that a management cluster has at any time. */
        discover: z.optional(discover()),
        /** Shares the discovered clusters among the replicas. */
        sharding: z.optional(sharding()),
        /** Of threads, which there are none of any more: whatever it says has no effect, and the log says so. */
        workers: z.optional(z.unknown()),
        /** The file of a RenderConfig for all of them. */
        renderConfig: z.optional(text()),
        interval: z.optional(watchDuration()),
        /** The number of concurrent passes, over all clusters. */
        concurrency: z.optional(z.int().check(z.minimum(1), z.maximum(999))),
        maxPrune: z.optional(z.int().check(z.minimum(0))),
        onPolicyUnreadable: z.optional(z.enum(["Hold", "Permissive"])),
        nodeLimits: z.optional(z.enum(NODE_LIMITS)),
        /** Creates the CRDs of policy and wrappers, and keeps them as this version of anp has them. */
        installCrds: z.optional(z.boolean()),
        leaderElection: z.optional(leaderElection()),
        /** The address of probes and metrics; not served when left out. */
        listen: z.optional(listen()),
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
  }),
);

export type WatchConfig = z.output<ReturnType<typeof watchConfigSchema>>;
