/** A shell in a real terminal, tmux: sends keys, and reads the screen. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BIN, NODE } from "../process/built.ts";

export interface TmuxTerminal {
  /** Types a line into the shell, in which `anp` is the built program. */
  readonly enter: (line: string) => void;
  /** Keys by tmux's names: `Enter`, `Escape`, `Down`, `C-c`; other text is sent unchanged. */
  readonly keys: (...keys: readonly string[]) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The lines of the screen. */
  readonly screen: () => string[];
  /** The screen with the escapes of its colours. */
  readonly painted: () => string;
  /** Waits until the screen matches. */
  readonly shows: (what: RegExp, withinMs?: number) => Promise<string[]>;
  /** The process ID of the last `anp`. */
  readonly pid: () => number;
  /** Whether the cursor is visible, and whether the alternate screen is active. */
  readonly state: () => { readonly cursor: boolean; readonly alternate: boolean };
  readonly close: () => void;
}

const PATIENCE_MS = 120_000;

export async function openTmux(
  columns: number,
  rows: number,
  env: Readonly<Record<string, string>> = {},
): Promise<TmuxTerminal> {
  // A separate tmux server, so that no other sessions are affected.
  const folder = mkdtempSync(join(tmpdir(), "anp-tmux-"));
  const socket = join(folder, "socket");
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8", HISTFILE: "/dev/null", ...env },
    });
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size, "bash", "--norc", "--noprofile");
  const keys = (...given: readonly string[]): void => void tmux("send-keys", ...given);
  const enter = (line: string): void => keys("-l", `${line}\n`);
  const pidFile = join(folder, "pid");
  enter(`PS1='$ '; anp() { (echo $BASHPID >'${pidFile}'; exec '${NODE}' '${BIN}' "$@"); }; clear`);
  const screen = (): string[] => tmux("capture-pane", "-p").replace(/\n+$/, "").split("\n");
  const shows = async (what: RegExp, withinMs = PATIENCE_MS): Promise<string[]> => {
    for (const deadline = Date.now() + withinMs; ;) {
      const lines = screen();
      if (what.test(lines.join("\n"))) return lines;
      if (Date.now() > deadline) throw new Error(`${String(what)} does not appear:\n${lines.join("\n")}`);
      await delay(50);
    }
  };
  // Input before the shell reads would be echoed twice.
  await shows(/^\$$/);
  return {
    enter,
    keys,
    resize: (toColumns, toRows) => void tmux("resize-window", "-x", String(toColumns), "-y", String(toRows)),
    screen,
    painted: () => tmux("capture-pane", "-p", "-e"),
    shows,
    pid: () => Number(readFileSync(pidFile, "utf8")),
    state: () => {
      const [cursor, alternate] = tmux("display-message", "-p", "#{cursor_flag} #{alternate_on}").trim().split(" ");
      return { cursor: cursor === "1", alternate: alternate === "1" };
    },
    close: () => {
      tmux("kill-server");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
