/** How a WatchConfig discovers hosted clusters, and shards them among replicas. */
import * as z from "zod/mini";
import { parseAllowedServer } from "./allowed-server.ts";
import { HOSTED_CLUSTER_NAME } from "./hosted-clusters.ts";
import { PROFILES } from "./profile.ts";
import { parseShardRange, SHARD_RANGES } from "./shard-range.ts";

/** Replaced by the hosted control plane's namespace in an address. */
export const NAMESPACE_IN_ADDRESS = "{namespace}";

const text = () => z.string().check(z.minLength(1));

const nameCheck = () =>
  z.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, { error: "is not a name: lower-case letters, digits, - and . only" });

const namespace = () => z.string().check(z.regex(HOSTED_CLUSTER_NAME, { error: "is not a namespace" }));

/** A part of the inventory's name, and of the set's identity. */
const watchName = () =>
  z
    .string()
    .check(
      z.maxLength(63),
      z.regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, { error: "is not a name: lower-case letters, digits and - only" }),
    );

const LABEL = String.raw`[A-Za-z0-9]([-\w./]*[A-Za-z0-9])?`;
const VALUE = String.raw`[-\w.]*`;
const TERM = `(${LABEL}(=${VALUE}|==${VALUE}|!=${VALUE})?|!${LABEL})`;
const SELECTOR = new RegExp(`^${TERM}(,${TERM})*$`);

/** Credentials are sent there: only over https, and only to a name with nothing but the namespace filled in. */
const ADDRESS = /^https:\/\/[-a-z0-9.{}[\]:]+(:\d{1,5})?$/i;

function isAddress(value: string): boolean {
  const filled = value.replaceAll(NAMESPACE_IN_ADDRESS, "clusters-c1");
  return ADDRESS.test(value) && !/[{}]/.test(filled) && URL.canParse(filled);
}

export const discover = () =>
  z.strictObject({
    /** The cluster that holds the hosted control planes; in a pod its own when left out. */
    management: z.optional(z.strictObject({ kubeconfig: z.optional(text()), context: z.optional(text()) })),
    /** Selects HostedControlPlanes by labels; all of them when left out. */
    selector: z.optional(
      z
        .string()
        .check(
          z.maxLength(1000),
          z.regex(SELECTOR, { error: "is not a selector: write labels such as tier=gold,!paused" }),
        ),
    ),
    kubeconfigSecret: z.optional(
      z.strictObject({
        name: z.optional(z.string().check(z.maxLength(253), nameCheck())),
        key: z.optional(
          z.string().check(z.maxLength(253), z.regex(/^[-\w.]+$/, { error: "is not a key of a Secret" })),
        ),
      }),
    ),
    /** How the guest's API server is reached; as in the kubeconfig when left out. */
    server: z.optional(
      z.strictObject({
        address: z.string().check(
          z.maxLength(300),
          z.refine(isAddress, {
            error: `is not an https address: write such as https://kube-apiserver.${NAMESPACE_IN_ADDRESS}.svc:6443`,
          }),
        ),
        tlsServerName: z.optional(z.string().check(z.maxLength(253), nameCheck())),
      }),
    ),
    /** Servers that a kubeconfig may name; any when left out. */
    allowedServers: z.optional(
      z
        .array(
          z.string().check(
            z.maxLength(300),
            z.refine((value) => parseAllowedServer(value) !== undefined, {
              error: "is neither a range of addresses nor a name: write such as 10.0.0.0/8, fd00::/8 or example.com",
            }),
          ),
        )
        .check(z.minLength(1), z.maxLength(100)),
    ),
    profile: z.optional(z.enum(PROFILES)),
    /** Names of watches from before discovery, by the namespaces of their hosted clusters. */
    names: z.optional(z.record(namespace(), watchName())),
  });

/** More than needed in practice; each shard is an object that is read every second. */
const MOST_SHARDS = 1024;

export const sharding = () =>
  z
    .strictObject({
      shards: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_SHARDS))),
      /** The namespace of the Leases; the pod's own when left out. */
      namespace: z.optional(namespace()),
      /** The prefix of the Leases' names. */
      name: z.optional(z.string().check(z.maxLength(63), nameCheck())),
      range: z.optional(
        z.string().check(
          z.refine((value) => parseShardRange(value) !== undefined, {
            error: `is not a range: write ${SHARD_RANGES}`,
          }),
        ),
      ),
    })
    .check(
      z.refine(({ shards = DEFAULT_SHARDS, range }) => (parseShardRange(range ?? "0-0")?.last ?? 0) < shards, {
        error: "has a range beyond its shards, which are counted from 0",
      }),
    );

export const DEFAULT_SHARDS = 32;
