/** Reads and checks the serving certificate, and uses a new pair when its files change. */
import { pause } from "../waiting/pause.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

/** Two files, as cert-manager and others write them. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Poll: volumes of pods replace files by symbolic links, which a watch of the file does not report. */
const LOOK_MS = 2000;

interface FollowOptions {
  readonly use: (pair: KeyPair) => void;
  readonly log: (entry: LogEntry) => void;
  readonly signal: AbortSignal;
}

/** Runs until the signal. An invalid pair, as in the middle of a change, does not replace the one in use. */
export async function followCertificate(
  files: CertificateFiles,
  first: KeyPair,
  options: FollowOptions,
): Promise<void> {
  const { use, log, signal } = options;
  let used = first;
  let problem = "";
  let since = 0;
  while (!signal.aborted) {
    await pause(LOOK_MS, signal);
    if (signal.aborted) return;
    try {
      const { cert, key } = await readKeyPair(files.cert, files.key);
      problem = "";
      if (cert === used.cert && key === used.key) continue;
      use({ cert, key });
      used = { cert, key };
      log({ level: "info", msg: "certificate changed", fields: certificateFacts(used) });
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      // The two files do not change at the same moment: log a problem only if it lasts.
      since = problem === error.message ? since + 1 : 0;
      problem = error.message;
      if (since === 1) log({ level: "warn", msg: "certificate not changed", fields: { reason: error.message } });
    }
  }
}

/** Fields for the log. */
export function certificateFacts({ cert }: KeyPair): Readonly<Record<string, string>> {
  const { subjectAltName = "", validToDate } = certificateOf(cert);
  return { names: subjectAltName, until: validToDate.toISOString().replace(".000Z", "Z") };
}

/** As PEM text. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The message is one line and never contains a part of a key. */
export class CertificateError extends Error {}

/** @throws CertificateError */
export async function readKeyPair(certFile: string, keyFile: string): Promise<KeyPair> {
  const cert = await readPem(certFile);
  const key = await readPem(keyFile);
  checkPair({ cert, key }, certFile, keyFile);
  return { cert, key };
}

/** The server's own certificate, which is the first of a chain. */
function certificateOf(cert: string): X509Certificate {
  return new X509Certificate(cert);
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CertificateError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
}

function checkPair({ cert, key }: KeyPair, certFile: string, keyFile: string): void {
  let certificate: X509Certificate;
  try {
    certificate = certificateOf(cert);
  } catch {
    throw new CertificateError(`${certFile} holds no certificate in PEM`);
  }
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(key);
  } catch {
    const encrypted = key.includes("ENCRYPTED");
    throw new CertificateError(
      `${keyFile} holds ${encrypted ? "an encrypted key, which anp cannot decrypt" : "no private key in PEM"}`,
    );
  }
  if (!certificate.checkPrivateKey(privateKey))
    throw new CertificateError(`the key in ${keyFile} does not belong to the certificate in ${certFile}`);
}
