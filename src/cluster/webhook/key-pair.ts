/** Reads and checks a certificate and its private key. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

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
export function certificateOf(cert: string): X509Certificate {
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
