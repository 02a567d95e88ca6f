/** Certificates for tests, good for a day: names in, PEM text out, signed by an authority that is made for it (RFC 5280, in DER). */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import type { KeyPair } from "../../../src/cluster/webhook/certificate.ts";

export function newAuthority(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff]))));
  return { cert: signed(AUTHORITY, publicKey, isAuthority, privateKey), key: pemOf(privateKey) };
}

/** @param names DNS names and addresses of IPv4 */
export function issue(names: readonly string[], authority: KeyPair = newAuthority()): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const alternatives = names.map((name) =>
    isIPv4(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name)),
  );
  const extensions = extension(ALTERNATIVE_NAMES, sequence(...alternatives));
  return {
    cert: signed("anp webhook", publicKey, extensions, createPrivateKey(authority.key)),
    key: pemOf(privateKey),
  };
}

/** A new `tls.crt` and `tls.key`, of the authority in `ca.crt` and `ca.key`, which is made where it is not there. */
export function issueInto(folder: string, names: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const [ca, caKey] = [join(folder, "ca.crt"), join(folder, "ca.key")];
  const authority = existsSync(ca)
    ? { cert: readFileSync(ca, "utf8"), key: readFileSync(caKey, "utf8") }
    : newAuthority();
  writeFileSync(ca, authority.cert);
  writeFileSync(caKey, authority.key);
  const { cert, key } = issue(names, authority);
  writeFileSync(join(folder, "tls.crt"), cert);
  writeFileSync(join(folder, "tls.key"), key);
}

const AUTHORITY = "test authority";
const HOUR_MS = 3_600_000;

function signed(subject: string, publicKey: KeyObject, extensions: Buffer, signer: KeyObject): string {
  const now = Date.now();
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // Not negative, and no shorter than others.
    der(0x02, Buffer.from([0x40]), randomBytes(15)),
    ECDSA_WITH_SHA256,
    name(AUTHORITY),
    sequence(time(now - HOUR_MS), time(now + 24 * HOUR_MS)),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extensions)),
  );
  const signature = sign("sha256", content, { key: signer, dsaEncoding: "der" });
  // Node writes the certificate that it reads: as PEM, and only if it is one.
  return new X509Certificate(sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature))).toString();
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" });
}

const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const COMMON_NAME = identifier("550403");
const BASIC_CONSTRAINTS = identifier("551d13");
const ALTERNATIVE_NAMES = identifier("551d11");
const ECDSA_WITH_SHA256 = sequence(identifier("2a8648ce3d040302"));

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, der(0x04, value));
}

function name(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

/** With two digits for the year, as until 2049. */
function time(moment: number): Buffer {
  const digits = new Date(moment).toISOString().replaceAll(/\.\d+|[-:T]/g, "");
  return der(0x17, Buffer.from(digits.slice(2)));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** One value: its type, the length of its content, and that. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
