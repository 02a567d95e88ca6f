/** A simulated terminal with a size: it records drawn frames, and sends keys as typed. */
import { PassThrough, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { FleetSource } from "../../../src/report/dashboard/show-dashboard.ts";
import type { FleetView } from "../../../src/report/dashboard/fleet-view.ts";
import { showDashboard } from "../../../src/report/dashboard/show-dashboard.ts";
import type { UiAction } from "../../../src/report/dashboard/ui-state.ts";
import { PLAIN, type Style } from "../../../src/report/terminal/style.ts";

class Screen extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly written: string[] = [];

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.written.push(chunk);
    done();
  }
}

class Keyboard extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

export interface FakeTerminal {
  /** The last frame. */
  readonly frame: () => string;
  /** Everything that was written, with escapes. */
  readonly written: () => string;
  readonly writes: () => number;
  readonly type: (...keys: readonly string[]) => Promise<void>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  readonly change: (view: FleetView) => Promise<void>;
  readonly actions: readonly UiAction[];
  readonly keyboard: Keyboard;
  readonly close: () => Promise<void>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly style?: Style;
  /** Each write is a whole frame, without escapes. */
  readonly whole?: boolean;
}

export const KEYS = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  home: "\u001b[H",
  end: "\u001b[F",
  enter: "\r",
  escape: "\u001b",
  backspace: "\u007f",
  ctrlC: "\u0003",
} as const;

/** Six turns are longer than ink waits for the rest of an escape sequence, and than the time between two frames. */
const TURN_MS = 20;

/** Counted in turns, because a busy machine may stop the process for longer: pending work then runs first. */
async function settle(turns = 6): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await delay(TURN_MS);
}

export async function fakeTerminal(first: FleetView, options: TerminalOptions = {}): Promise<FakeTerminal> {
  const { columns = 80, rows = 24, style = PLAIN, whole = true } = options;
  const screen = new Screen(columns, rows);
  const keyboard = new Keyboard();
  const actions: UiAction[] = [];
  const listeners = new Set<() => void>();
  let view = first;
  const source: FleetSource = {
    view: () => view,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const shown = await showDashboard(
    { source, style, act: (action) => void actions.push(action) },
    {
      stdout: screen as unknown as NodeJS.WriteStream,
      stdin: keyboard as unknown as NodeJS.ReadStream,
      stderr: new Screen(columns, rows) as unknown as NodeJS.WriteStream,
      debug: whole,
    },
  );
  // Closing resolves the promise of the dashboard.
  shown.closed.catch(() => undefined);
  await settle();
  return {
    frame: () => screen.written.findLast((text) => text.includes("\n") || text.length > 20) ?? "",
    written: () => screen.written.join(""),
    writes: () => screen.written.length,
    type: async (...keys) => {
      for (const key of keys) {
        keyboard.write(key);
        await settle(key === KEYS.escape ? 12 : 6);
      }
    },
    resize: async (nextColumns, nextRows) => {
      screen.columns = nextColumns;
      screen.rows = nextRows;
      screen.emit("resize");
      await settle();
    },
    change: async (next) => {
      view = next;
      for (const listener of listeners) listener();
      await settle();
    },
    actions,
    keyboard,
    close: async () => {
      shown.close();
      await shown.closed;
    },
  };
}
