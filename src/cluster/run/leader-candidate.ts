/** A candidate for the Lease of the leader, with the notes of passes and crashes that are on it. */
import { type Candidate, candidate, type LeaseSpec } from "../lease/candidate.ts";
import { crashBook } from "../lease/crash-book.ts";
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

/** @throws ClusterError where the kubeconfig cannot be used */
export function leaderCandidate(spec: LeaseSpec, run: Run): LeaderCandidate {
  const book = crashBook(Date.now);
  const note = passNote({ book, unreadable: unreadableNote(run) });
  const leader = candidate(spec, run.log, note);
  const { leadsUntil: worksUntil } = leader;
  const crashed = crashedClusters({ book, save: note.wanted.raise, worksUntil, log: run.log, passAlone });
  return { ...leader, crashes: { note, crashed } };
}

/** A note is a help and no more: one that cannot be read neither stops the watch nor keeps a cluster from it. */
export function unreadableNote({ log }: Pick<Run, "log">): (annotation: string) => void {
  return (annotation) => log({ level: "warn", msg: "note on a Lease not read", fields: { annotation } });
}
