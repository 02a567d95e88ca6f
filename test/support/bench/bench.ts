/** `npm run bench`: anp in all its forms, bare node and similar tools, as ratios from one run (docs/performance.md). */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { buildOnce } from "../process/built.ts";
import { type Case, coldStarts, consolidation, throughput } from "./cases.ts";
import { inTurn } from "./measure.ts";
import { peers } from "./programs.ts";
import { type Row, table } from "./table.ts";

/** kustomize's time grows with the square of the input: at 10,000 wrappers it is stopped here. */
const LIMIT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), "anp-bench-"));
try {
  await buildOnce();
  const rows: Row[] = [];
  for (const one of [...coldStarts(), ...consolidation(folder), ...throughput(await peers(), folder)]) {
    rows.push(await measured(one));
    console.error(rows.at(-1)?.what);
  }
  console.log(table(rows, LIMIT_MS));
  console.log(`\n10,000 wrappers take ${growth(rows)} x the time of 1,000`);
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  console.log(
    `node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} processors, ${memory} GiB`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** The two commands alternate, so that a change of the machine's speed affects both. */
async function measured({ what, own, peer, other, runs }: Case): Promise<Row> {
  const [ours, theirs] = await inTurn([own, other], runs, LIMIT_MS);
  return { what, own: ours, peer, other: theirs };
}

function growth(rows: readonly Row[]): string {
  const wall = (what: string): number => rows.find((row) => row.what === what)?.own?.wall ?? Number.NaN;
  return (wall("10000 wrappers") / wall("1000 wrappers")).toFixed(1);
}
