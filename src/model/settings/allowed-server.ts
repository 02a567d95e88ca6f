/** An entry of `discover.allowedServers`: a range of addresses, or a name. */

interface AddressRange {
  readonly network: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

export type AllowedServer = AddressRange | { readonly name: string };

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
