/** The host and port of an address to listen on, such as `127.0.0.1:8080` or `:8080`. */

export interface ListenAddress {
  /** Undefined: all addresses of the machine. */
  readonly host: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
}

const ADDRESS = /^(?:\[(?<ipv6>[0-9a-fA-F:.]+)\]|(?<host>[A-Za-z0-9.-]*)):(?<port>\d{1,5})$/;

/** Undefined if the text is not an address; an IPv6 address is in brackets, as in `[::1]:8080`. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const { ipv6, host, port } = ADDRESS.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  return { host: ipv6 ?? (host === "" ? undefined : host), port: Number(port) };
}
