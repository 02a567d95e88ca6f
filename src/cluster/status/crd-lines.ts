/** Log lines on the CustomResourceDefinitions: changes and problems. */
import type { CrdState } from "../crds/install-crds.ts";
import type { LogEntry } from "../objects/log-entry.ts";
import { DONE_WORDS } from "./step-state.ts";

type Base = Readonly<Record<string, string>>;

export interface CrdLines {
  readonly done: readonly LogEntry[];
  readonly state: readonly LogEntry[];
}

export function crdLines(crds: readonly CrdState[], base: Base, dryRun: boolean): CrdLines {
  const which = ({ side, name }: CrdState) => ({ ...base, side, object: `CustomResourceDefinition ${name}` });
  const done = crds.flatMap((crd): LogEntry[] => {
    const { outcome, differences } = crd;
    if (outcome !== "created" && outcome !== "updated") return [];
    const [words, would] = DONE_WORDS[outcome === "created" ? "create" : "update"]!;
    const fields = differences.map(({ field }) => field).join(",") || undefined;
    const foreign = differences.filter(({ owner }) => owner !== undefined);
    return [
      { level: "info", msg: dryRun ? would : words, fields: { ...which(crd), fields } },
      ...foreign.map(({ field, owner }): LogEntry => {
        const msg = dryRun ? "foreign change would be overwritten" : "foreign change overwritten";
        return { level: "warn", msg, fields: { ...which(crd), field, owner } };
      }),
    ];
  });
  const state = crds.flatMap((crd): LogEntry[] => {
    const { outcome, doing, words } = crd;
    if (outcome === "failed")
      return [{ level: "error", msg: `${doing} failed`, fields: { ...which(crd), reason: words } }];
    if (outcome !== "foreign") return [];
    const left = "anp did not create it and does not change it";
    const reason = words === "" ? left : `${left}; ${words}`;
    return [{ level: words === "" ? "info" : "warn", msg: "foreign object", fields: { ...which(crd), reason } }];
  });
  return { done, state };
}
