/**
 * Every fenced block of README.md, docs/*.md and integrations/agents/SKILL.md does what the page says. Its language, and the line above it, which
 * readers see, determine its purpose:
 *
 * - ```sh: lines that begin with `$ ` are commands, run in one folder for each page; the lines below are the output on
 *   both streams. `…` alone stands for omitted lines; an output line of more than 120 characters may be wrapped at a
 *   space and continues with at least four spaces. "In **`FOLDER`**:" runs it in a copy of a folder of the repository.
 * - "**`PATH`**": the block is a file that the commands below it find.
 * - "From **`PATH`**:": the block is an excerpt of a file of the page or of the repository.
 * - `<!-- not run: REASON -->`: cannot run here; NOT_RUN lists each.
 * - ```text and ```mermaid are drawings, without commands.
 */
import { describe, expect, it } from "vitest";
import { fillIn, isExcerpt } from "../../support/docs/match-output.ts";
import { type Block, blocksOf, misplacedNotes, pages, readPage } from "../../support/docs/page.ts";
import { Session } from "../../support/docs/session.ts";

/** Every block that is not run, as `page: reason`, in order. */
const NOT_RUN: readonly string[] = [
  "README.md: installs the packages first",
  "README.md: builds an executable",
  "docs/adopt.md: needs a cluster",
  "docs/catalogue.md: needs an account of AWS",
  "docs/catalogue.md: needs an account of AWS",
  "docs/check.md: needs a cluster",
  "docs/crds.md: needs a cluster",
  "docs/crds.md: needs kubeconform",
  "docs/explain.md: needs a cluster",
  "docs/explain.md: needs a cluster",
  "docs/findings.md: needs a cluster",
  "docs/findings.md: needs a cluster",
  "docs/findings.md: needs a cluster",
  "docs/findings.md: needs a cluster",
  "docs/findings.md: needs a cluster",
  "docs/get.md: needs a cluster",
  "docs/get.md: needs a cluster",
  "docs/guard.md: needs a cluster, run by test/suites/guard/walk.test.ts",
  "docs/guard.md: needs a cluster",
  "docs/guard.md: of an Application",
  "docs/guard.md: needs a cluster",
  "docs/guard.md: writes into the machine of a control plane",
  "docs/install.md: needs a release",
  "docs/install.md: builds an executable",
  "docs/install.md: needs a release",
  "docs/install.md: needs a registry",
  "docs/install.md: needs a release",
  "docs/install.md: installs the packages first",
  "docs/karpenter-on-eks.md: needs a Git repository",
  "docs/karpenter-on-eks.md: needs a cluster",
  "docs/karpenter-on-eks.md: needs kustomize and a Git repository",
  "docs/karpenter-on-eks.md: needs Terraform and its providers",
  "docs/karpenter-on-eks.md: needs helm and a Git repository",
  "docs/kpt.md: needs kpt, run by test/suites/kpt/page.test.ts",
  "docs/kpt.md: needs kpt, run by test/suites/kpt/page.test.ts",
  "docs/kpt.md: needs kpt, run by test/suites/kpt/page.test.ts",
  "docs/kpt.md: needs kpt, run by test/suites/kpt/page.test.ts",
  "docs/kustomize.md: needs kustomize, run by test/suites/kustomize/page.test.ts",
  "docs/kustomize.md: needs kustomize, run by test/suites/kustomize/page.test.ts",
  "docs/library.md: needs the package, run by test/suites/package/package.test.ts",
  "docs/mcp.md: started by the client of an agent",
  "docs/plan.md: needs a cluster",
  "docs/release.md: builds a release",
  "docs/release.md: changes the repository",
  "docs/render.md: needs a cluster",
  "docs/render.md: needs a cluster",
  "docs/render.md: needs a cluster",
  "docs/render.md: needs a Git repository",
  "docs/simulate.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-install.md: needs a cluster",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster, run by test/suites/soak/watch-runbook.test.ts",
  "docs/watch-runbook.md: needs a cluster",
  "docs/watch-runbook.md: needs a cluster",
  ...Array<string>(6).fill("docs/watch-status.md: needs a cluster, run by test/suites/watch/status-page.test.ts"),
  "docs/watch-status.md: needs a cluster",
  "docs/webhook.md: needs openssl and a cluster",
  "docs/webhook.md: needs a cluster",
  "docs/webhook.md: needs a cluster",
  "docs/why-no-nodes.md: needs a cluster, run by test/suites/watch/status-page.test.ts",
  "docs/why-no-nodes.md: needs a cluster",
  "docs/why-no-nodes.md: needs a cluster, run by test/suites/watch/status-page.test.ts",
  "docs/why-no-nodes.md: needs a cluster",
  "docs/why-no-nodes.md: needs a cluster",
  ...Array<string>(5).fill("docs/wrapped-to-raw.md: needs a cluster, run by test/suites/watch/wrapped-to-raw.test.ts"),
];

const DRAWINGS: ReadonlySet<string> = new Set(["text", "mermaid"]);

describe("examples", () => {
  it.each(pages())("%s", async (page) => {
    const session = new Session();
    try {
      for (const block of blocksOf(readPage(page))) await follow(block, page, session);
    } finally {
      session.end();
    }
  });

  it.each(pages())("%s hides no name, and names no block that is not there", (page) => {
    expect(misplacedNotes(readPage(page))).toStrictEqual([]);
  });

  it.each<[what: string, markdown: string, misplaced: readonly string[]]>([
    ["a name in a comment", "<!-- file: a.yaml -->\n```yaml\na: 1\n```", ["1: <!-- file: a.yaml -->"]],
    ["a comment of another kind", "a <!-- b --> c", ["1: a <!-- b --> c"]],
    ["a name above nothing", "**`a.yaml`**\n\n```yaml\na: 1\n```", ["1: **`a.yaml`**"]],
    ["a folder above nothing", "In **`fixtures/eks`**:\n", ["1: In **`fixtures/eks`**:"]],
    ["what is not run", "<!-- not run: needs a cluster -->\n```sh\na\n```", []],
    ["names that are seen", "**`a.yaml`**\n```yaml\na: 1\n```\n\nFrom **`b`**:\n```text\n<!-- c -->\n```", []],
  ])("would see %s", (_what, markdown, misplaced) => {
    expect(misplacedNotes(markdown)).toStrictEqual(misplaced);
  });

  it("leaves out only what it says it does", () => {
    const left = pages().flatMap((page) =>
      blocksOf(readPage(page)).flatMap(({ note }) => (note?.name === "not run" ? [`${page}: ${note.value}`] : [])),
    );
    expect(left).toStrictEqual(NOT_RUN);
  });
});

async function follow({ line, language, note, lines }: Block, page: string, session: Session): Promise<void> {
  const place = `${page}:${line}`;
  if (note?.name === "not run") return;
  if (note?.name === "file") return session.write(note.value, `${lines.join("\n")}\n`);
  if (note?.name === "part of") {
    const whole = linesOf(session.read(note.value));
    return expect(isExcerpt(lines, whole), `${place} is no part of ${note.value}`).toBe(true);
  }
  if (DRAWINGS.has(language))
    return expect(lines.join("\n"), `${place} looks like a command`).not.toMatch(/^\$ |\banp (render|crds)\b/m);
  expect(language, `${place} is neither run, nor a file, nor marked`).toBe("sh");
  for (const { command, output } of commandsOf(lines, place)) {
    const printed = linesOf(await (note?.name === "in" ? session.typeIn(note.value, command) : session.type(command)));
    expect(fillIn(output, printed), `${place}: ${command}`).toStrictEqual(printed);
  }
}

function commandsOf(lines: readonly string[], place: string): { command: string; output: string[] }[] {
  const commands: { command: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (last?.command.endsWith(" \\") && last.output.length === 0)
      last.command = `${last.command.slice(0, -2)} ${line.trimStart()}`;
    else if (line.startsWith("$ ")) commands.push({ command: line.slice(2), output: [] });
    else if (last === undefined) throw new Error(`${place} begins with no command`);
    else last.output.push(line);
  }
  // An empty line between two commands is there for the eye.
  for (const { output } of commands) while (output.at(-1) === "") output.pop();
  return commands;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
