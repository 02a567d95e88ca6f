/** An archive of an executable, as formula and manifest name it. */
import type { Target } from "../binary/targets.ts";

export interface ArchiveEntry {
  readonly target: Target;
  /** Where people download it. */
  readonly url: string;
  readonly sha256: string;
}
