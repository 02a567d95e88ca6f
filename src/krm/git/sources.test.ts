/** What git gives as sources, and the findings of reading and parsing them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GitPath, gitSources } from "./sources.ts";
import { openGitTree } from "./tree.ts";
import { parseSources } from "../parse/parse.ts";
import { readSources } from "../read/read.ts";
import type { Outcome } from "../findings/finding.ts";
import type { Source } from "../places/source.ts";
import { commitAll, git } from "../../../test/support/process/repositories.ts";
import { printFinding } from "../../../test/support/source.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "anp-doors-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A number is a size; a text that begins with `-> ` is a link. */
type Files = Readonly<Record<string, string | Buffer | number>>;

function commit(files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string" && content.startsWith("-> ")) symlinkSync(content.slice(3), path);
    else writeFileSync(path, typeof content === "number" ? "" : content);
    if (typeof content === "number") truncateSync(path, content);
  }
  git(root, "init", "--quiet", "--initial-branch=main");
  commitAll(root);
}

interface Asked {
  readonly paths: readonly string[];
  readonly policyDir?: string;
  readonly config?: string;
}

/** The sources of a reader, and the findings of reading and parsing them. */
function shown({ value, findings }: Outcome<Source[]>, prefix: string): { sources: object[]; findings: string[] } {
  const strip = (text: string) => text.replaceAll(prefix, "");
  return {
    sources: value.map(({ file, folder, ...source }) => ({ file: strip(file), folder, ...source })),
    findings: [...findings, ...parseSources(value).findings].map((finding) => strip(printFinding(finding))),
  };
}

function onDisk({ paths, policyDir, config }: Asked) {
  const at = (path: string) => join(root, path);
  const readStdin = () => Buffer.alloc(0);
  const read = readSources({
    paths: paths.map(at),
    ...(policyDir === undefined ? {} : { policyDir: at(policyDir) }),
    ...(config === undefined ? {} : { config: at(config) }),
    readStdin,
  });
  return shown(read, `${root}/`);
}

function inGit({ paths, policyDir, config }: Asked) {
  const open = (path: string, flags: Pick<GitPath, "trusted" | "config" | "ofPolicyDir">): GitPath => {
    const opened = openGitTree(join(root, path), "main");
    if ("problem" in opened) throw new Error(opened.message);
    return { ...opened, ...flags };
  };
  const trusted = policyDir === undefined;
  const given = [
    ...(config === undefined ? [] : [open(config, { trusted: true, config: true })]),
    ...(policyDir === undefined ? [] : [open(policyDir, { trusted: true, config: false, ofPolicyDir: true })]),
    ...paths.map((path) => open(path, { trusted, config: false })),
  ];
  return shown(gitSources("main", given), "main:");
}

const POOL = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
const LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 312\n";
const MEBIBYTE = 1024 * 1024;
const HINT = "save the file as UTF-8";

/** The findings of each when a folder holds it. */
const KINDS: readonly (readonly [what: string, bytes: string | Buffer | number, finding: string | undefined])[] = [
  ["UTF-8", "a: é", "info file-skipped f.yaml:1:1 has no apiVersion and kind, so it is not a Kubernetes object | a: é"],
  ["an object", POOL, undefined],
  ["a byte order mark", `\ufeff${POOL}`, undefined],
  ["byte order marks in the middle, as cat leaves them", `\ufeff${POOL}---\n\ufeff---\n\ufeff${POOL}`, undefined],
  [
    "UTF-16, little endian",
    Buffer.from(`\ufeff${POOL}`, "utf16le"),
    `error not-utf8 f.yaml is UTF-16, and must be UTF-8 → ${HINT}`,
  ],
  [
    "UTF-16, big endian",
    Buffer.from(`\ufeff${POOL}`, "utf16le").swap16(),
    `error not-utf8 f.yaml is UTF-16, and must be UTF-8 → ${HINT}`,
  ],
  [
    "UTF-16 without a mark",
    Buffer.from("a: b", "utf16le"),
    "error yaml-syntax f.yaml:1:2 holds the control character U+0000, which YAML forbids → save the file as UTF-8: this is UTF-16, or no text at all | a\0:\0 \0b\0",
  ],
  [
    "NUL",
    "a: \0",
    "error yaml-syntax f.yaml:1:4 holds the control character U+0000, which YAML forbids → save the file as UTF-8: this is UTF-16, or no text at all | a: \0",
  ],
  ["Latin-1", Buffer.from("a: \xe9t\xe9", "latin1"), `error not-utf8 f.yaml holds bytes that are not UTF-8 → ${HINT}`],
  [
    "a surrogate",
    Buffer.from([0x61, 0xed, 0xa0, 0x80]),
    `error not-utf8 f.yaml holds bytes that are not UTF-8 → ${HINT}`,
  ],
  [
    "a pointer of Git LFS",
    LFS,
    "info file-skipped f.yaml:1:1 is a pointer of Git LFS in place of the file → git lfs pull fetches the file | version https://git-lfs.github.com/spec/v1",
  ],
  ["nothing", "", "info file-skipped f.yaml holds no YAML document"],
  [
    "too much",
    64 * MEBIBYTE + 1,
    "error input-limit f.yaml is 65 MiB, more than the 64 MiB that anp reads → split the file",
  ],
];

describe("a file on disk and in a commit", () => {
  it.each(KINDS)("of %s, found in a folder", (_what, bytes, finding) => {
    commit({ "in/f.yaml": bytes });
    const disk = onDisk({ paths: ["in"] });
    expect(disk.findings.map((line) => line.replace("in/f", "f"))).toStrictEqual(
      finding === undefined ? [] : [finding],
    );
    expect(inGit({ paths: ["in"] })).toStrictEqual(disk);
  });

  it.each(KINDS)("of %s, by its name, as --config and of --policy-dir", (_what, bytes) => {
    commit({ "in/f.yaml": bytes, "u.yaml": POOL });
    for (const asked of [
      { paths: ["in/f.yaml"] },
      { paths: ["u.yaml"], config: "in/f.yaml" },
      { paths: ["u.yaml"], policyDir: "in" },
      { paths: ["in"], policyDir: "in/f.yaml" },
    ])
      expect(inGit(asked)).toStrictEqual(onDisk(asked));
  });

  it("has one limit with all others, however many links lead to it", () => {
    const links = ["b", "c", "d", "e"].map((name) => [`in/${name}/link.yaml`, "-> ../a/large.yaml"]);
    commit({ "in/a/large.yaml": 20 * MEBIBYTE, "in/z.yaml": "1", ...Object.fromEntries(links) });
    const disk = onDisk({ paths: ["in"] });
    expect(disk.findings[0]).toMatch(/^error input-limit in\/d\/link.yaml brings the input to more than the 64 MiB/);
    expect(inGit({ paths: ["in"] })).toStrictEqual(disk);
  });
});

describe("a .krmignore on disk and in a commit", () => {
  it.each<[what: string, bytes: string | Buffer | number, findings: string[]]>([
    ["UTF-8", "left-out.yaml\n", []],
    ["a byte order mark", "\ufeffleft-out.yaml\n", []],
    [
      "UTF-16, as an old PowerShell saves it",
      Buffer.from("\ufeffleft-out.yaml\n", "utf16le"),
      [`error not-utf8 in/.krmignore is UTF-16, and must be UTF-8 → ${HINT}`],
    ],
    [
      "too much",
      64 * MEBIBYTE + 1,
      ["error input-limit in/.krmignore is 65 MiB, more than the 64 MiB that anp reads → split the file"],
    ],
  ])("of %s", (_what, bytes, findings) => {
    commit({ "in/.krmignore": bytes, "in/a.yaml": POOL, "in/left-out.yaml": POOL });
    const disk = onDisk({ paths: ["in"] });
    const [skipped, ...others] = disk.findings.toReversed();
    const isObeyed = skipped === "info file-skipped in/left-out.yaml left out by .krmignore";
    expect({ isObeyed, findings: isObeyed ? others : disk.findings }).toStrictEqual({
      isObeyed: findings.length === 0,
      findings,
    });
    const git = inGit({ paths: ["in"] });
    // What a commit leaves out is not reported: the new side reports it.
    expect(git).toStrictEqual({ sources: disk.sources, findings });
  });
});

/** What a commit leaves out is not reported: the new side reports it. */
const LEFT_OUT =
  / (?:left out by \.krmignore|hidden f\w+ are not read|is configuration of kustomize or kpt, not a manifest)$/;

/** @param what the request; disk and commit have to answer the same */
function bothReport(what: Asked): { files: unknown[]; findings: string[] } {
  const { sources, findings } = onDisk(what);
  const reported = { sources, findings: findings.filter((line) => !LEFT_OUT.test(line)) };
  expect(inGit(what)).toStrictEqual(reported);
  return { files: sources.map((source) => (source as Source).file), findings: reported.findings };
}

describe("a folder on disk and in a commit", () => {
  const MISSING = "does not exist → check the path; a link may lead to nothing";

  it("is walked in one order, and leaves out the same", () => {
    commit({
      "in/b.yaml": POOL,
      "in/B.yaml": POOL,
      "in/a.yaml/c.yml": POOL,
      "in/a.json": "[]",
      'in/é😀 "x".yaml': POOL,
      "in/notes.txt": "a: [",
      "in/.hidden/x.yaml": "a: [",
      "in/.x.yaml": "a: [",
      "in/Kptfile": "a: [",
      "in/kustomization.yaml": "a: [",
      "in/.krmignore": "drafts/\n*.draft.yaml\n/top.yaml\n",
      "in/drafts/x.yaml": "a: [",
      "in/x.draft.yaml": "a: [",
      "in/top.yaml": "a: [",
      "in/sub/top.yaml": POOL,
      "in/sub/.krmignore": "-> ../../shared/ignored",
      "in/sub/own.yaml": "a: [",
      "shared/ignored": "own.yaml\n",
      "shared/s.yaml": POOL,
      "in/linked": "-> ../shared",
      "in/linked.yaml": "-> ../shared/s.yaml",
      "in/again.yaml": "-> ../shared/s.yaml",
      "in/sub/up": "-> ..",
      "in/.hidden.yaml": "-> nowhere",
      "in/left.draft.yaml": "-> nowhere",
    });
    expect(bothReport({ paths: ["in", "in/sub"] })).toStrictEqual({
      files: [
        "in/B.yaml",
        "in/a.json",
        "in/a.yaml/c.yml",
        "in/again.yaml",
        "in/b.yaml",
        "in/linked/s.yaml",
        "in/sub/top.yaml",
        'in/é😀 "x".yaml',
      ],
      findings: ["info file-skipped in/a.json:1:1 is not a mapping, so it is not a Kubernetes object | []"],
    });
    for (const path of ["in/.hidden", "in/Kptfile", "in/drafts"]) bothReport({ paths: [path] });
  });

  it("holds manifests in a folder that is named as a file of another tool", () => {
    commit({ "in/Kptfile/x.yaml": POOL, "in/a.yaml": POOL });
    expect(bothReport({ paths: ["in"] })).toStrictEqual({ files: ["in/Kptfile/x.yaml", "in/a.yaml"], findings: [] });
  });

  it("holds links without a target", () => {
    commit({ "in/a.yaml": "-> nowhere", "in/loop.yaml": "-> loop.yaml", "in/.krmignore": "-> nowhere" });
    expect(bothReport({ paths: ["in"] })).toStrictEqual({
      files: [],
      findings: [
        `error file-unreadable in/.krmignore ${MISSING}`,
        `error file-unreadable in/a.yaml ${MISSING}`,
        "error file-unreadable in/loop.yaml is a link that leads back to itself",
      ],
    });
  });

  it("has a .krmignore that is a link to a folder", () => {
    commit({ "in/.krmignore": "-> ../other", "other/x": "", "in/a.yaml": POOL });
    expect(bothReport({ paths: ["in"] })).toStrictEqual({
      files: ["in/a.yaml"],
      findings: ["error file-unreadable in/.krmignore is neither a file nor a link to one → remove it"],
    });
  });

  it("is not a file of --config", () => {
    commit({ "in/a.yaml": POOL, "config/c.yaml": POOL });
    expect(bothReport({ paths: ["in"], config: "config" })).toStrictEqual({
      files: ["in/a.yaml"],
      findings: ["error file-unreadable config is a directory, and a file is needed here"],
    });
  });

  it("has links that multiply what is behind them, up to a limit", () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      [`d${level}/l`, `-> ../d${level + 1}`],
      [`d${level}/m`, `-> ../d${level + 1}`],
    ]);
    commit({ "d30/a.yaml": POOL, ...(Object.fromEntries(levels.flat()) as Files) });
    expect(bothReport({ paths: ["d0"] }).findings.map((line) => line.replace(/d0\S*/, "d0/…"))).toStrictEqual([
      "error input-limit d0/… is one of more than 10000 folders that are reached through links; the others are not read → remove the link that leads out of the package, or name it in .krmignore",
    ]);
  });
});
