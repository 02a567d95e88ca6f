/** How a WatchConfig discovers hosted clusters, and shards them among replicas. */
import * as z from "zod/mini";
import { PROFILES } from "../crds/profile.ts";
import { HOSTED_CLUSTER_NAME } from "../inputs/hosted-clusters.ts";
import { described, field } from "./settings.ts";

/** Replaced by the hosted control plane's namespace in an address. */
export const NAMESPACE_IN_ADDRESS = "{namespace}";

export const text = () => z.string().check(z.minLength(1));

/** A kubeconfig: without a file as kubectl finds it, without a context the current one. */
export const access = (otherwise = "") =>
  z.strictObject({
    kubeconfig: field(
      text(),
      `The file of a kubeconfig, relative to this one. As kubectl finds it when left out.${otherwise}`,
    ),
    context: field(text(), "The context of the kubeconfig. The current one when left out."),
  });

export const profile = () => field(z.enum(PROFILES), "The Karpenter to render for. The RenderConfig's when left out.");

const nameCheck = () =>
  z.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, { error: "is not a name: lower-case letters, digits, - and . only" });

/** The name of a Kubernetes object, such as a Lease. */
export const objectName = () => z.string().check(z.maxLength(253), nameCheck());

const namespace = () => z.string().check(z.regex(HOSTED_CLUSTER_NAME, { error: "is not a namespace" }));

/** The name of a watch: a part of the inventory's name, and of the set's identity. */
export const watchName = () =>
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
    management: field(access(), "The management cluster. In a pod its own when left out."),
    selector: field(
      z
        .string()
        .check(
          z.maxLength(1000),
          z.regex(SELECTOR, { error: "is not a selector: write labels such as tier=gold,!paused" }),
        ),
      "Selects HostedControlPlanes by labels, such as tier=gold. All when left out.",
    ),
    kubeconfigSecret: field(
      z.strictObject({
        name: field(objectName(), "hcco-kubeconfig when left out."),
        key: field(
          z.string().check(z.maxLength(253), z.regex(/^[-\w.]+$/, { error: "is not a key of a Secret" })),
          "kubeconfig when left out.",
        ),
      }),
      "The Secret of each hosted control plane's namespace.",
    ),
    server: field(
      z.strictObject({
        address: described(
          z.string().check(
            z.maxLength(300),
            z.refine(isAddress, {
              error: `is not an https address: write such as https://kube-apiserver.${NAMESPACE_IN_ADDRESS}.svc:6443`,
            }),
          ),
          "An https address; {namespace} is replaced by the hosted control plane's.",
          { pattern: "^https://" },
        ),
        tlsServerName: field(objectName(), "The server name in the certificate."),
      }),
      "How the guest's API server is reached. As in the kubeconfig when left out.",
    ),
    allowedServers: field(
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
      "Servers that a kubeconfig may name: ranges of addresses, which are enforced on each connection, or names with their subdomains. Any when left out.",
    ),
    profile: profile(),
    names: field(
      z.record(namespace(), watchName()),
      "Names of watches that differ from their namespace, by namespace: those of an earlier spec.clusters.",
    ),
  });

export interface ShardRange {
  readonly first: number;
  /** Is in the range. */
  readonly last: number;
}

/** What to write instead, for messages. */
export const SHARD_RANGES = "two numbers from 0 on, such as 0-15";

/** Undefined if the text is not a range. */
export function parseShardRange(range: string): ShardRange | undefined {
  const [, first, last] = /^(\d{1,4})-(\d{1,4})$/.exec(range) ?? [];
  if (first === undefined || last === undefined || Number(first) > Number(last)) return undefined;
  return { first: Number(first), last: Number(last) };
}

/** More than needed in practice; each shard is an object that is read every second. */
const MOST_SHARDS = 1024;

export const DEFAULT_SHARDS = 32;

export const sharding = () =>
  z
    .strictObject({
      shards: field(
        z.int().check(z.minimum(1), z.maximum(MOST_SHARDS)),
        `How many shards there are; the same for all replicas. ${DEFAULT_SHARDS} when left out.`,
      ),
      namespace: field(namespace(), "The namespace of the Leases. The pod's own when left out."),
      name: field(
        z.string().check(z.maxLength(63), nameCheck()),
        "The prefix of the Leases' names. anp-watch when left out.",
      ),
      range: field(
        z.string().check(
          z.refine((value) => parseShardRange(value) !== undefined, {
            error: `is not a range: write ${SHARD_RANGES}`,
          }),
        ),
        "The shards that this replica may take, such as 0-15. All when left out.",
        { pattern: "^[0-9]+-[0-9]+$" },
      ),
    })
    .check(
      z.refine(({ shards = DEFAULT_SHARDS, range }) => (parseShardRange(range ?? "0-0")?.last ?? 0) < shards, {
        error: "has a range beyond its shards, which are counted from 0",
      }),
    );

interface AddressRange {
  readonly network: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

type AllowedServer = AddressRange | { readonly name: string };

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
const IPV6 = /^[0-9a-f:]{2,39}$/i;

/**
 * Undefined if it is neither. `10.0.0.0/8`, `fd00::/8`, `example.com`, or `.example.com` for the names below it only.
 */
export function parseAllowedServer(text: string): AllowedServer | undefined {
  const [network = "", bits] = text.split("/");
  if (bits === undefined) {
    const name = text.replace(/^\./, "");
    // A last label of digits would be an address.
    return text.length <= 253 && NAME.test(name) && !/(^|\.)\d+$/.test(name) ? { name: text.toLowerCase() } : undefined;
  }
  const family = IPV4.test(network) ? "ipv4" : "ipv6";
  const most = family === "ipv4" ? 32 : 128;
  const isAddress = family === "ipv4" || (IPV6.test(network) && URL.canParse(`https://[${network}]`));
  if (!isAddress || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined;
  return { network, prefix: Number(bits), family };
}
