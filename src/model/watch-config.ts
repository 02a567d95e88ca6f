/** WatchConfig v1alpha1: the hosted clusters that `anp watch` keeps, and how. */
import * as z from "zod/mini";
import { HOSTED_CLUSTER_NAME } from "./hosted-clusters.ts";
import { parseListenAddress } from "./listen-address.ts";
import { once } from "./once.ts";
import { PROFILES } from "./profile.ts";
import { parseWatchInterval, WATCH_INTERVALS } from "./watch-interval.ts";

const text = () => z.string().check(z.minLength(1));

/** Where a kubeconfig is: without a file as kubectl finds it, without a context the current one. */
const access = () => z.strictObject({ kubeconfig: z.optional(text()), context: z.optional(text()) });

const duration = () =>
  z.string().check(
    z.refine((value) => parseWatchInterval(value) !== undefined, {
      error: `is no interval: write ${WATCH_INTERVALS}`,
    }),
  );

const listen = () =>
  z.string().check(
    z.refine((value) => parseListenAddress(value) !== undefined, {
      error: "is no address to listen on: write 127.0.0.1:8080, or :8080 for all addresses",
    }),
  );

/** An object of Kubernetes, such as a Lease. */
const objectName = () =>
  z
    .string()
    .check(
      z.maxLength(253),
      z.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, { error: "is no name: lower-case letters, digits, - and . only" }),
    );

const namespace = () =>
  z.string().check(z.maxLength(63), z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: "is no namespace" }));

const leaderElection = () =>
  z.extend(access(), {
    /** Of the Lease; the pod's own when left out. */
    namespace: z.optional(namespace()),
    name: z.optional(objectName()),
  });

/** How far Hard limits on nodes are kept. */
export const NODE_LIMITS = ["Disruption", "Full", "Off"] as const;

const cluster = () =>
  z.strictObject({
    name: z
      .string()
      .check(
        z.maxLength(63),
        z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: "is no name: lower-case letters, digits and - only" }),
      ),
    namespace: z
      .string()
      .check(z.regex(HOSTED_CLUSTER_NAME, { error: "is no namespace: write the hosted control plane's" })),
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
    /** Wins over that of all clusters. */
    installCrds: z.optional(z.boolean()),
  });

/** As in docs/design.md#own-kinds. */
export const watchConfigSchema = once(() =>
  z.strictObject({
    apiVersion: z.literal("anp.hypershift.openshift.io/v1alpha1"),
    kind: z.literal("WatchConfig"),
    metadata: z.optional(z.looseObject({})),
    spec: z.strictObject({
      clusters: z.array(cluster()).check(
        z.minLength(1),
        z.refine((clusters) => new Set(clusters.map(({ name }) => name)).size === clusters.length, {
          error: "has two clusters of one name",
        }),
      ),
      /** The file of a RenderConfig for all of them. */
      renderConfig: z.optional(text()),
      interval: z.optional(duration()),
      /** Passes at once, over all clusters. */
      concurrency: z.optional(z.int().check(z.minimum(1), z.maximum(999))),
      maxPrune: z.optional(z.int().check(z.minimum(0))),
      onPolicyUnreadable: z.optional(z.enum(["Hold", "Permissive"])),
      nodeLimits: z.optional(z.enum(NODE_LIMITS)),
      /** The CRDs of policy and wrappers are made, and kept as this version of anp has them. */
      installCrds: z.optional(z.boolean()),
      leaderElection: z.optional(leaderElection()),
      /** Where probes and metrics are served; nowhere when left out. */
      listen: z.optional(listen()),
    }),
  }),
);

export type WatchConfig = z.output<ReturnType<typeof watchConfigSchema>>;
