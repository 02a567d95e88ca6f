/** A folder with a certificate authority and a certificate of our own making: what is missing, foreign to the names or near its end is made, the rest stays. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { issueAuthority, issueServing } from "./issue-certificates.ts";
import { CertificateError, certificateOf, type KeyPair, readKeyPair } from "./key-pair.ts";

export interface SelfSigned extends KeyPair {
  /** What API servers are to trust, as PEM text. */
  readonly authority: string;
}

const FILES = { authority: "ca.crt", authorityKey: "ca.key", cert: "tls.crt", key: "tls.key" } as const;

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const SERVING_DAYS = 365;
const RENEW_DAYS = 90;

/** What the certificate is to be for: DNS names and IP addresses. */
export interface Names {
  readonly asked: readonly string[];
  /** Where nothing is asked for and nothing is there. */
  readonly otherwise?: string | undefined;
}

/** @throws CertificateError */
export async function selfSigned(folder: string, names: Names, now: Date): Promise<SelfSigned> {
  const authority = await readPair(folder, FILES.authority, FILES.authorityKey);
  const serving = await readPair(folder, FILES.cert, FILES.key);
  if (authority === undefined && serving !== undefined)
    throw new CertificateError(
      `${folder} holds a certificate and no authority of anp's making: serve it with --cert and --key, or name another folder`,
    );
  if (authority !== undefined && serving !== undefined && isGood(serving, authority, names.asked, now))
    return { ...serving, authority: authority.cert };
  // Those that it had are somebody's: they stay.
  const all = new Set([...(serving === undefined ? [] : namesOf(serving)), ...names.asked]);
  return issue(folder, authority, all.size > 0 ? [...all] : [names.otherwise ?? []].flat(), now);
}

async function issue(
  folder: string,
  given: KeyPair | undefined,
  names: readonly string[],
  now: Date,
): Promise<SelfSigned> {
  if (names.length === 0)
    throw new CertificateError("say what API servers call the webhook by: --service, --url or --dns-name");
  const authority = given ?? issueAuthority({ from: now, until: later(now, AUTHORITY_DAYS) });
  if (certificateOf(authority.cert).validToDate <= now)
    throw new CertificateError(`the authority in ${folder} has expired: remove the folder, and patch the CRDs again`);
  const serving = issueServing(authority, names, { from: now, until: later(now, SERVING_DAYS) });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The authority first: with it alone the next start makes the rest.
    if (given === undefined) {
      await write(folder, FILES.authorityKey, authority.key, 0o600);
      await write(folder, FILES.authority, authority.cert, 0o644);
    }
    await write(folder, FILES.key, serving.key, 0o600);
    await write(folder, FILES.cert, serving.cert, 0o644);
  } catch (error) {
    throw new CertificateError(`${folder} cannot be written: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
  return { ...serving, authority: authority.cert };
}

function isGood(serving: KeyPair, authority: KeyPair, names: readonly string[], now: Date): boolean {
  const certificate = certificateOf(serving.cert);
  const issuer = certificateOf(authority.cert);
  if (!certificate.verify(issuer.publicKey) || issuer.validToDate <= now) return false;
  // Near the authority's own end a new one would end no later.
  const renewAt = new Date(certificate.validToDate.getTime() - RENEW_DAYS * DAY_MS);
  const isNearEnd = renewAt <= now && certificate.validToDate < issuer.validToDate;
  return (
    !isNearEnd && names.every((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)))
  );
}

/** Of a certificate that is there. */
function namesOf({ cert }: KeyPair): readonly string[] {
  const names = certificateOf(cert).subjectAltName ?? "";
  return names.split(", ").flatMap((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1] ?? []);
}

/** Undefined where half of it or all is missing: then it is made. */
async function readPair(folder: string, certFile: string, keyFile: string): Promise<KeyPair | undefined> {
  const files = [join(folder, certFile), join(folder, keyFile)] as const;
  return files.every((file) => existsSync(file)) ? readKeyPair(...files) : undefined;
}

/** Nobody ever reads half of it. */
async function write(folder: string, name: string, text: string, mode: number): Promise<void> {
  const unfinished = join(folder, `.${name}.${randomUUID()}`);
  await writeFile(unfinished, text, { mode });
  await rename(unfinished, join(folder, name));
}

function later(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}
