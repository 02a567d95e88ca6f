/** A shell on a terminal, as a user sits before it: keys in, what the terminal shows out. `script` gives the terminal. */
import { spawn, spawnSync } from "node:child_process";

export interface Terminal {
  /** Types keys and waits until something is shown behind what was there before; that is returned. */
  readonly type: (keys: string, shown: RegExp) => Promise<string>;
  readonly close: () => void;
}

export function openTerminal(shell: string, cwd: string, env: Readonly<Record<string, string>>): Terminal {
  const child = spawn("sh", ["-c", 'exec script -qec "$0" /dev/null', shell], {
    cwd,
    env: { ...process.env, ...env, TERM: "vt100", HISTFILE: "/dev/null" },
  });
  let screen = "";
  let changed = (): void => undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    // A slow terminal of that kind gets pauses as zeros.
    screen += chunk.toString().replaceAll("\0", "");
    changed();
  });
  const type = async (keys: string, shown: RegExp): Promise<string> => {
    const before = screen.length;
    child.stdin.write(keys);
    const answer = (): string | undefined => shown.exec(screen.slice(before))?.[0];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${String(shown)} is not shown: ${JSON.stringify(screen.slice(before))}`));
      }, PATIENCE);
      changed = () => {
        const found = answer();
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      };
      changed();
    });
  };
  return { type, close: () => child.kill("SIGKILL") };
}

const PATIENCE = 20_000;

export function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}
