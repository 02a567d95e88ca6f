/** Runs the commands of a documentation page that needs a host, and compares their output. */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { expect } from "vitest";
import { fillIn } from "../docs/match-output.ts";
import { blocksOf, readPage } from "../docs/page.ts";
import { addFiles, folderWith } from "./inputs.ts";

/**
 * @param programs a folder for the PATH
 * @param normal the output, without parts that differ from run to run
 */
export function followPage(page: string, programs: string, normal: (text: string) => string): void {
  const cwd = folderWith({});
  const env = { ...process.env, LC_ALL: "C", PATH: `${programs}${delimiter}${process.env["PATH"] ?? ""}` };
  let typed = 0;
  for (const { line, language, note, lines } of blocksOf(readPage(page))) {
    if (note?.name === "file") addFiles(cwd, { [note.value]: `${lines.join("\n")}\n` });
    if (language !== "sh") continue;
    for (const { command, output } of commandsOf(lines)) {
      const { stdout } = spawnSync("sh", ["-c", `{ ${command}; } 2>&1`], {
        cwd,
        env,
        encoding: "utf8",
        timeout: 60_000,
      });
      const printed = normal(stdout).trimEnd().split("\n");
      expect(fillIn(output, printed), `${page}:${line}: ${command}`).toStrictEqual(printed);
      typed += 1;
    }
  }
  expect(typed).toBeGreaterThan(0);
}

/** Each `$ command` with the lines below it; one that ends with a backslash goes on in the next line. */
export function commandsOf(lines: readonly string[]): { command: string; output: string[] }[] {
  const commands: { command: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (last?.command.endsWith(" \\") && last.output.length === 0)
      last.command = `${last.command.slice(0, -2)} ${line.trimStart()}`;
    else if (line.startsWith("$ ")) commands.push({ command: line.slice(2), output: [] });
    else last?.output.push(line);
  }
  return commands.map(({ command, output }) => ({ command, output: output.length === 0 ? [""] : output }));
}
