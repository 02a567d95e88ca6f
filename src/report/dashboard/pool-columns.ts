/** The columns of an opened cluster's pools and node classes, for a width. */
import { shareBar } from "../explain/share-bar.ts";
import type { NodeClassView, PoolView } from "./fleet-view.ts";
import type { Column } from "../terminal/table.ts";
import {
  conditionTone,
  conditionWords,
  nodesWords,
  notReadyWords,
  poolNote,
  stateTone,
  stateWords,
  verdictOf,
} from "./pool-words.ts";
import { verdictTone } from "./verdict-words.ts";

const WIDE = 140;
const BAR_WIDTH = 10;

/** Verdict and types are computed only for visible rows, so their columns have a fixed width. */
export function poolColumns(now: number, width: number): Column<PoolView>[] {
  const verdict: Column<PoolView> = {
    head: "VERDICT",
    cell: (pool) => verdictOf(pool) ?? "–",
    tone: (pool) => verdictTone(verdictOf(pool)),
    width: "unsatisfiable".length,
  };
  const types: Column<PoolView> = {
    head: "TYPES",
    cell: ({ explained }) => {
      const left = explained()?.instanceTypes;
      return left === undefined ? "–" : `${String(left.compatible)}/${String(left.total)}`;
    },
    right: true,
    width: "1363/1363".length,
  };
  const nodes: Column<PoolView> = { head: "NODES", cell: nodesWords, right: true, min: 5 };
  const name: Column<PoolView> = { head: "POOL", cell: ({ name: own }) => own, min: 12 };
  const state: Column<PoolView> = { head: "STATE", cell: (pool) => stateWords(pool, now), tone: stateTone };
  if (width < WIDE) return [name, verdict, types, nodes, { ...state, min: 9, grows: true }];
  const bar: Column<PoolView> = {
    head: "",
    cell: ({ explained }) => {
      const left = explained()?.instanceTypes;
      return left === undefined ? "" : shareBar(left.compatible / Math.max(1, left.total), BAR_WIDTH);
    },
    tone: () => "faint",
    width: BAR_WIDTH,
    goes: 2,
  };
  const nodeClass: Column<PoolView> = { head: "NODE CLASS", cell: ({ nodeClass: own }) => own, min: 12, goes: 1 };
  const ready: Column<PoolView> = { head: "READY", cell: conditionWords, tone: conditionTone, min: 5 };
  const note: Column<PoolView> = { head: "", cell: poolNote, tone: () => "faint", min: 24, grows: true, goes: 3 };
  return [name, verdict, types, bar, nodes, nodeClass, ready, { ...state, min: 9 }, note];
}

export function nodeClassColumns(now: number, width: number): Column<NodeClassView>[] {
  const columns: Column<NodeClassView>[] = [
    { head: "NODE CLASS", cell: ({ name }) => name, min: 12 },
    { head: "READY", cell: conditionWords, tone: conditionTone, min: 5 },
    { head: "POOLS", cell: ({ pools }) => String(pools.length), right: true },
  ];
  const state: Column<NodeClassView> = { head: "STATE", cell: (one) => stateWords(one, now), tone: stateTone, min: 9 };
  if (width < WIDE) return [...columns, { ...state, grows: true }];
  const note = (one: NodeClassView): string => one.state.why || notReadyWords(one);
  return [...columns, state, { head: "", cell: note, tone: () => "faint", min: 24, grows: true, goes: 1 }];
}
