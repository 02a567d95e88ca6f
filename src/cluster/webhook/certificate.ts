/** Follows the files of the serving certificate, and uses a new pair when they change. */
import { pause } from "../waiting/pause.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { CertificateError, certificateOf, type KeyPair, readKeyPair } from "./key-pair.ts";

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
