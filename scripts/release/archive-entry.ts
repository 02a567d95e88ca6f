/** An archive of an executable, for the formula and the manifest. */
import type { Target } from "../binary/targets.ts";

export interface ArchiveEntry {
  readonly target: Target;
  /** The URL of the download. */
  readonly url: string;
  readonly sha256: string;
}
