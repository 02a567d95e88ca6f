/** Which API servers a kubeconfig of a Secret may name: by names, or by addresses. */
import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { parseAllowedServer } from "../../model/settings/discover-config.ts";
import { ClusterError } from "./api-answer.ts";

type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface AllowedServers {
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
