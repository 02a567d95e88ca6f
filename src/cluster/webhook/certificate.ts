/** The certificate that is served, as it changes: its files in, the news of another pair out. */
import { pause } from "../waiting/pause.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { CertificateError, certificateOf, type KeyPair, readKeyPair } from "./key-pair.ts";

/** Two files, as cert-manager and others write them. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Files in volumes of pods are swapped by links, which no watch of the file notices. */
const LOOK_MS = 2000;

interface FollowOptions {
  readonly use: (pair: KeyPair) => void;
  readonly log: (entry: LogEntry) => void;
  readonly signal: AbortSignal;
}

/** Until the signal. A pair that cannot be used, as in the middle of a change, leaves the one that is in use. */
export async function followCertificate(
  files: CertificateFiles,
  first: KeyPair,
  options: FollowOptions,
): Promise<void> {
  const { use, log, signal } = options;
  let used = first;
  let told = "";
  let since = 0;
  while (!signal.aborted) {
    await pause(LOOK_MS, signal);
    if (signal.aborted) return;
    try {
      const { cert, key } = await readKeyPair(files.cert, files.key);
      told = "";
      if (cert === used.cert && key === used.key) continue;
      use({ cert, key });
      used = { cert, key };
      log({ level: "info", msg: "certificate changed", fields: certificateFacts(used) });
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      // The two files of a pair are seldom changed in the same moment.
      since = told === error.message ? since + 1 : 0;
      told = error.message;
      if (since === 1) log({ level: "warn", msg: "certificate not changed", fields: { reason: error.message } });
    }
  }
}

/** For the log. */
export function certificateFacts({ cert }: KeyPair): Readonly<Record<string, string>> {
  const { subjectAltName = "", validToDate } = certificateOf(cert);
  return { names: subjectAltName, until: validToDate.toISOString().replace(".000Z", "Z") };
}
