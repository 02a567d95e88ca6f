/** `npm run bench`: anp beside bare node and beside kustomize on the nearest work, as ratios from one run (docs/performance.md). */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildGoProgram } from "../go/build.ts";
import { writeInputs } from "./inputs.ts";
import { type Command, inTurn, type Measured } from "./measure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ANP = join(ROOT, "bin/anp.js");
const SIZES = [1, 100, 1_000, 10_000];
/** kustomize's time grows with the square of the input: at 10,000 wrappers it is ended here. */
const LIMIT_MS = 120_000;

const node = (...args: string[]): Command => ({ program: process.execPath, args, cwd: ROOT });
const anp = (...args: string[]): Command => node(ANP, ...args);

interface Row {
  readonly what: string;
  readonly own: Measured | undefined;
  readonly peer: string;
  readonly other: Measured | undefined;
}

const rows: Row[] = [];
const folder = mkdtempSync(join(tmpdir(), "anp-bench-"));
try {
  const [bare, version, render] = await inTurn(
    [node("-e", "0"), anp("--version"), anp("render", "fixtures/quickstart")],
    15,
    LIMIT_MS,
  );
  rows.push({ what: "anp --version, cold", own: version, peer: "node -e 0", other: bare });
  rows.push({ what: "anp render fixtures/quickstart, cold", own: render, peer: "node -e 0", other: bare });
  const kustomize = await buildGoProgram({
    module: join(ROOT, "test/kustomize"),
    package: "sigs.k8s.io/kustomize/kustomize/v5",
    name: "kustomize",
  });
  if ("skipped" in kustomize) console.error(`without kustomize: ${kustomize.skipped}`);
  const times = new Map<number, number>();
  for (const size of SIZES) {
    const input = writeInputs(join(folder, String(size)), size);
    const commands = [anp("render", input.anp)];
    if ("path" in kustomize) commands.push({ program: kustomize.path, args: ["build", input.kustomize] });
    const [own, other] = await inTurn(commands, size > 1_000 ? 1 : 5, LIMIT_MS);
    rows.push({ what: `${size} wrapper${size === 1 ? "" : "s"}`, own, peer: "kustomize build", other });
    if (own !== undefined) times.set(size, own.wall);
  }
  console.log(table(rows));
  console.log(
    `10,000 wrappers take ${((times.get(10_000) ?? Number.NaN) / (times.get(1_000) ?? Number.NaN)).toFixed(1)} x the time of 1,000`,
  );
  console.log(`node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} processors`);
} finally {
  rmSync(folder, { recursive: true });
}

function table(list: readonly Row[]): string {
  const cells = list.map(({ what, own, peer, other }) => [
    what,
    time(own),
    memory(own),
    peer,
    time(other),
    memory(other),
    ratio(own, other),
  ]);
  const head = ["case", "anp", "memory", "peer", "peer's time", "memory", "anp / peer"];
  return [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function time(measured: Measured | undefined): string {
  if (measured === undefined) return `> ${LIMIT_MS / 1000} s, ended`;
  return measured.wall >= 10_000 ? `${(measured.wall / 1000).toFixed(1)} s` : `${measured.wall.toFixed(0)} ms`;
}

function memory(measured: Measured | undefined): string {
  return measured === undefined ? "" : `${measured.memory.toFixed(0)} MiB`;
}

function ratio(own: Measured | undefined, other: Measured | undefined): string {
  if (own === undefined) return "";
  if (other === undefined) return `< 1/${(LIMIT_MS / own.wall).toFixed(0)}`;
  return own.wall > other.wall ? (own.wall / other.wall).toFixed(2) : `1/${(other.wall / own.wall).toFixed(1)}`;
}
