/** A candidate for the leader's Lease, with the notes on passes and crashes on that Lease. */
import { type Candidate, candidate, type LeaseSpec } from "../lease/candidate.ts";
import { crashBook } from "../lease/crashes.ts";
import { type PassNote, passNote } from "../lease/pass-note.ts";
import type { CrashNotes } from "./cluster-loop.ts";
import { crashedClusters } from "./crashed-clusters.ts";
import { passAlone } from "./pass-alone.ts";
import type { Run } from "./run.ts";

export interface ReplicaCrashes extends CrashNotes {
  readonly note: PassNote;
}

export interface LeaderCandidate extends Candidate {
  readonly crashes: ReplicaCrashes;
}

/** @throws ClusterError if the kubeconfig cannot be used */
export function leaderCandidate(spec: LeaseSpec, run: Run): LeaderCandidate {
  const book = crashBook(Date.now);
  const note = passNote({ book, unreadable: unreadableNote(run) });
  const leader = candidate(spec, run.log, note);
  const { leadsUntil: worksUntil } = leader;
  const crashed = crashedClusters({ book, save: note.wanted.raise, worksUntil, log: run.log, passAlone });
  return { ...leader, crashes: { note, crashed } };
}

/** Logs a note that cannot be read. It neither stops the watch nor excludes a cluster. */
export function unreadableNote({ log }: Pick<Run, "log">): (annotation: string) => void {
  return (annotation) => log({ level: "warn", msg: "note on a Lease not read", fields: { annotation } });
}
