/** A certificate authority of our own, and what it signs: names and times in, PEM text out (RFC 5280). */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIP } from "node:net";
import { bits, type Der, explicit, implicit, integer, isTrue, octets, oid, sequence, set, time, utf8 } from "./der.ts";
import { addressBytes } from "./address-bytes.ts";
import type { KeyPair } from "./key-pair.ts";

interface Lifetime {
  readonly from: Date;
  readonly until: Date;
}

const AUTHORITY = "anp webhook CA";

export function issueAuthority(lifetime: Lifetime): KeyPair {
  const { publicKey, privateKey } = newKeys();
  const extensions = [
    // Signs servers, and no other authority.
    extension("2.5.29.19", sequence(isTrue(), integer(Buffer.from([0]))), true),
    extension("2.5.29.15", KEY_USAGE.authority, true),
    extension("2.5.29.14", octets(keyIdOf(publicKey))),
  ];
  const subject = nameOf(AUTHORITY);
  return pairOf({ subject, publicKey, lifetime, extensions }, privateKey, privateKey);
}

/** @param names DNS names and IP addresses that API servers call the webhook by; it ends no later than its authority */
export function issueServing(authority: KeyPair, names: readonly string[], { from, until }: Lifetime): KeyPair {
  const { publicKey, privateKey } = newKeys();
  const issuer = new X509Certificate(authority.cert);
  const extensions = [
    extension("2.5.29.19", sequence(), true),
    extension("2.5.29.15", KEY_USAGE.server, true),
    extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.17", sequence(...names.map(alternativeName))),
    extension("2.5.29.14", octets(keyIdOf(publicKey))),
    extension("2.5.29.35", sequence(implicit(0, keyIdOf(issuer.publicKey)))),
  ];
  const lifetime = { from, until: until < issuer.validToDate ? until : issuer.validToDate };
  // Names stand in the extension: those of services are longer than a common name may be.
  const certificate = { subject: nameOf("anp webhook"), publicKey, lifetime, extensions };
  return pairOf(certificate, privateKey, createPrivateKey(authority.key));
}

/** The bits that a key is for, with the number of those that are left out at the end. */
const KEY_USAGE = {
  /** keyCertSign and cRLSign. */
  authority: bits(Buffer.from([0b0000_0110]), 1),
  /** digitalSignature. */
  server: bits(Buffer.from([0b1000_0000]), 7),
};

interface Certificate {
  readonly subject: Der;
  readonly publicKey: KeyObject;
  readonly lifetime: Lifetime;
  readonly extensions: readonly Der[];
}

const ECDSA_WITH_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

/** Clocks of clusters differ a little. */
const BEFORE_MS = 5 * 60_000;

function pairOf({ subject, publicKey, lifetime, extensions }: Certificate, key: KeyObject, signer: KeyObject): KeyPair {
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    nameOf(AUTHORITY),
    sequence(time(new Date(lifetime.from.getTime() - BEFORE_MS)), time(lifetime.until)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions)),
  );
  const signature = sign("sha256", content, { key: signer, dsaEncoding: "der" });
  const der = sequence(content, ECDSA_WITH_SHA256, bits(signature));
  return {
    // Node writes the certificate that it reads: as PEM, and only if it is one.
    cert: new X509Certificate(der).toString(),
    key: key.export({ type: "pkcs8", format: "pem" }),
  };
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function nameOf(commonName: string): Der {
  return sequence(set(sequence(oid("2.5.4.3"), utf8(commonName))));
}

function extension(id: string, value: Der, critical = false): Der {
  return sequence(oid(id), ...(critical ? [isTrue()] : []), octets(value));
}

function alternativeName(name: string): Der {
  return isIP(name) === 0 ? implicit(2, Buffer.from(name, "latin1")) : implicit(7, addressBytes(name));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest()
    .subarray(0, 20);
}

/** No two alike; the first byte is neither zero nor one that would make it longer than others. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
