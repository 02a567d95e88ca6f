/** Runs a golden case through an external program, and returns what a user would get. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { givenTo } from "./case.ts";
import type { RunAnp } from "./check-golden.ts";

/** @param command the program and its first arguments, such as those of an emulator */
export function runProgram([program = "", ...first]: readonly string[]): RunAnp {
  return async (folder, args, stdin = givenTo(folder, args)) => {
    const child = spawn(program, [...first, ...args], { cwd: folder, env: { PATH: process.env["PATH"] } });
    // A program that does not read its input closes it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    const ended = new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => (code === null ? reject(new Error(`ended by ${signal}`)) : resolve(code)));
    });
    const [exit, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { exit, stdout, stderr };
  };
}
