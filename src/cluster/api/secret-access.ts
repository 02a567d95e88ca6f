/** The address and credentials of an allowed API server, from a kubeconfig in a Secret. */
import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { KubeConfig } from "@kubernetes/client-node";
import { isFields } from "../../krm/values/fields.ts";
import { parseAllowedServer } from "../../model/settings/discover-config.ts";
import { ClusterError } from "./api-answer.ts";
import type { ClusterApi } from "./cluster-api.ts";
import { requestOptions } from "./connections.ts";
import { kubeconfigOfTexts } from "./inline-kubeconfig.ts";
import type { KubeAccess } from "./kube-access.ts";
import { SECRETS } from "./served-kind.ts";

interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** Replaces the server address of the kubeconfig. */
export interface ServerAddress {
  /** An https address. */
  readonly address: string;
  readonly tlsServerName: string | undefined;
}

interface SecretAccessOptions {
  /** Reads the Secret by its name. */
  readonly management: Pick<ClusterApi, "get">;
  readonly place: SecretPlace;
  readonly server: ServerAddress | undefined;
  /** Entries of `discover.allowedServers`; without them any server is allowed. */
  readonly allowed?: readonly string[] | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export interface SecretAccess extends KubeAccess {
  /** The Secret changed: the next request reads it again. */
  readonly changed: () => void;
}

/** Finds changes that no watch event reported, and ends the use of a deleted Secret. */
const MAX_AGE_MS = 10 * 60_000;

/** Limits the reads of a missing Secret, or of the Secret of a server that does not answer. */
const MIN_AGE_MS = 5000;

interface Loaded {
  readonly config: KubeConfig;
  readonly server: string;
  readonly resourceVersion: string;
  readonly at: number;
}

/**
 * The Secret is read at the first request, after `changed`, after ten minutes, and after the server refused the
 * credentials or did not answer. The kubeconfig may hold inline credentials only (docs/watch.md#kubeconfigs).
 */
export function secretAccess({ management, place, server, allowed, now }: SecretAccessOptions): SecretAccess {
  const servers = allowed === undefined ? undefined : allowedServers(allowed);
  const where = `Secret ${place.namespace}/${place.name}`;
  const optionsOf = requestOptions(where);
  let last: Loaded | undefined;
  let problem: { readonly error: unknown; readonly at: number } | undefined;
  let isStale = false;
  let isChanged = false;
  let reading: Promise<Loaded> | undefined;

  const readAnew = async (): Promise<Loaded> => {
    isChanged = false;
    const answer = await management.get({ ...SECRETS, namespace: place.namespace }, place.name);
    if (!answer.ok) throw new ClusterError(`the kubeconfig of ${where} cannot be read: ${answer.error.message}`);
    if (answer.value === undefined) throw new ClusterError(`there is no ${where}, which should hold the kubeconfig`);
    const { resourceVersion } = answer.value.metadata;
    isStale = false;
    if (last?.resourceVersion === resourceVersion) last = { ...last, at: now() };
    else last = { ...understand(answer.value, place, server), resourceVersion, at: now() };
    return last;
  };
  /** The read in progress, which concurrent requests share. */
  const current = async (): Promise<Loaded> => {
    if (reading !== undefined) return reading;
    const isFresh = (at: number, forMs: number) => !isChanged && now() - at < forMs;
    if (problem !== undefined && isFresh(problem.at, MIN_AGE_MS)) throw problem.error;
    if (problem === undefined && last !== undefined && isFresh(last.at, isStale ? MIN_AGE_MS : MAX_AGE_MS)) return last;
    reading = readAnew();
    try {
      const loaded = await reading;
      problem = undefined;
      return loaded;
    } catch (error) {
      problem = { error, at: now() };
      throw error;
    } finally {
      reading = undefined;
    }
  };

  return {
    get server() {
      return last?.server ?? where;
    },
    credentials: async () => {
      const { config, server: address } = await current();
      const lookup = servers?.lookupFor(address, `the kubeconfig of ${where}`);
      const request = await optionsOf(config, address, true);
      return { server: address, request: lookup === undefined ? request : { ...request, lookup } };
    },
    forget: () => {
      isStale = true;
    },
    changed: () => {
      isChanged = true;
    },
  };
}

function understand(secret: object, { namespace, name, key }: SecretPlace, server: ServerAddress | undefined) {
  const where = `Secret ${namespace}/${name}`;
  const { data } = secret as { data?: unknown };
  const encoded = isFields(data) ? data[key] : undefined;
  if (typeof encoded !== "string") throw new ClusterError(`${where} has no ${key}, which should hold the kubeconfig`);
  const config = read(Buffer.from(encoded, "base64").toString("utf8"), where);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new ClusterError(`the kubeconfig of ${where} names no server`);
  if (server === undefined) return { config, server: withoutSlash(cluster.server) };
  const { address, tlsServerName = cluster.tlsServerName } = server;
  const reached = { ...cluster, server: address, ...(tlsServerName === undefined ? {} : { tlsServerName }) };
  config.clusters = [reached];
  return { config, server: withoutSlash(address) };
}

function read(text: string, where: string): KubeConfig {
  try {
    return kubeconfigOfTexts([{ name: `of ${where}`, text }], undefined);
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    // The parser's message may quote a key.
    throw new ClusterError(`the kubeconfig of ${where} is not YAML`);
  }
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}

type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

interface AllowedServers {
  /**
   * Resolves and checks the address of a server whose name alone does not decide. It is called for each connection, and
   * the connection goes to the address that was checked, so a later change of DNS gains nothing.
   *
   * @throws ClusterError if the server is not allowed, whatever its address is
   */
  readonly lookupFor: (server: string, where: string) => LookupFunction | undefined;
}

/** @param entries of `discover.allowedServers` */
export function allowedServers(entries: readonly string[], resolve: Resolve = dnsLookup): AllowedServers {
  const allowed = entries.map(parseAllowedServer);
  const ranges = new BlockList();
  for (const one of allowed)
    if (one !== undefined && "network" in one) ranges.addSubnet(one.network, one.prefix, one.family);
  const names = allowed.flatMap((one) => (one !== undefined && "name" in one ? [one.name] : []));
  const hasRanges = allowed.some((one) => one !== undefined && "network" in one);
  const isWithin = (address: string): boolean =>
    isIP(address) !== 0 && ranges.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  const isNamed = (host: string): boolean =>
    names.some((name) => (name.startsWith(".") ? host.endsWith(name) : host === name || host.endsWith(`.${name}`)));

  return {
    lookupFor: (server, where) => {
      const host = hostOf(server);
      const refused = (what: string): string =>
        `${where} names the server ${server}, ${what} discover.allowedServers does not have`;
      if (isIP(host) === 0 && isNamed(host)) return undefined;
      if (isIP(host) !== 0 ? !isWithin(host) : !hasRanges) throw new ClusterError(refused("which"));
      return (name, options, done) => {
        resolve(name, { ...options, all: true }, (error, addresses) => {
          const within = error === null ? addresses.filter(({ address }) => isWithin(address)) : [];
          const [first] = within;
          if (error !== null) done(error, "");
          else if (first === undefined) done(new ClusterError(refused("the address of which")), "");
          else if (options.all === true) done(null, within);
          else done(null, first.address, first.family);
        });
      };
    },
  };
}

/** The host to connect to: without the brackets of an IPv6 address, and without a trailing dot. */
function hostOf(server: string): string {
  if (!URL.canParse(server)) throw new ClusterError(`${server} is no address of a server`);
  return new URL(server).hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
