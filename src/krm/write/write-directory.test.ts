/** Writing a directory: files written, removed, kept and refused, on a real file system. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printFinding } from "../../../test/support/source.ts";
import { foldersIn, planDirectory, writeDirectory, type WriteRequest } from "./write-directory.ts";
import { writeFileAtomically } from "./write-files.ts";

let root: string;
let out: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "anp-write-"));
  out = join(root, "out");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Everything below `out`: files with their text, folders with a slash, links with an arrow. */
function present(): Record<string, string> {
  if (!existsSync(out)) return {};
  const entries = readdirSync(out, { recursive: true, withFileTypes: true }).map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(out, path);
    if (entry.isDirectory()) return [`${name}/`, ""];
    if (entry.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`];
    return [name, entry.isFile() ? readFileSync(path, "utf8") : "a pipe"];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function put(name: string, text: string): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, name), text);
}

/** Plans and writes; a text is ours when it begins with "ours". */
function run(files: Record<string, string>, options: Partial<WriteRequest> = {}) {
  const request = {
    directory: out,
    files: new Map(Object.entries(files)),
    isOurs: (text: string) => text.startsWith("ours"),
    force: false,
    prune: true,
  };
  const { plan, findings } = planDirectory({ ...request, ...options });
  const written = findings.length > 0 ? findings : writeDirectory(plan);
  return {
    write: [...plan.write.keys()],
    unchanged: plan.unchanged,
    remove: plan.remove,
    findings: written.map((finding) => printFinding(finding).replaceAll(root, "ROOT")),
  };
}

const NOTHING = { write: [], unchanged: [], remove: [] };

describe("writing", () => {
  it("makes the directory and the folders above it", () => {
    out = join(root, "a/b/out");
    expect(run({ "x.yaml": "ours 1" })).toStrictEqual({ ...NOTHING, write: ["x.yaml"], findings: [] });
    expect(present()).toStrictEqual({ "x.yaml": "ours 1" });
  });

  it("makes no directory if there is nothing to write", () => {
    expect(run({})).toStrictEqual({ ...NOTHING, findings: [] });
    expect(existsSync(out)).toBe(false);
  });

  it("writes new files, replaces changed ones, keeps equal ones, removes stale ones", () => {
    put("new-text.yaml", "ours old");
    put("same.yaml", "ours same");
    put("gone.yaml", "ours gone");
    const before = new Date(1_000_000);
    utimesSync(join(out, "same.yaml"), before, before);
    const { findings, ...plan } = run({
      "added.yaml": "ours added",
      "new-text.yaml": "ours new",
      "same.yaml": "ours same",
    });
    expect(findings).toStrictEqual([]);
    expect(plan).toStrictEqual({
      write: ["added.yaml", "new-text.yaml"],
      unchanged: ["same.yaml"],
      remove: ["gone.yaml"],
    });
    expect(present()).toStrictEqual({
      "added.yaml": "ours added",
      "new-text.yaml": "ours new",
      "same.yaml": "ours same",
    });
    expect(statSync(join(out, "same.yaml")).mtime).toStrictEqual(before);
  });

  it("changes nothing the second time", () => {
    run({ "a.yaml": "ours", "b.yaml": "ours é😀\r\n" });
    expect(run({ "a.yaml": "ours", "b.yaml": "ours é😀\r\n" })).toStrictEqual({
      ...NOTHING,
      unchanged: ["a.yaml", "b.yaml"],
      findings: [],
    });
  });

  it("reads only files that differ: ten thousand files come again each time", () => {
    put("same.yaml", "ours same");
    put("other.yaml", "ours old");
    const asked: string[] = [];
    const isOurs = (text: string) => asked.push(text) > 0;
    run({ "same.yaml": "ours same", "other.yaml": "ours new" }, { isOurs });
    expect(asked).toStrictEqual(["ours old"]);
  });

  it("does not look at hidden files and at folders", () => {
    put(".gitkeep", "");
    put(".anp.yaml", "not ours");
    mkdirSync(join(out, "sub"));
    put("sub/foreign.yaml", "not ours");
    expect(run({ "x.yaml": "ours" })).toStrictEqual({ ...NOTHING, write: ["x.yaml"], findings: [] });
    expect(present()).toStrictEqual({
      ".anp.yaml": "not ours",
      ".gitkeep": "",
      "sub/": "",
      "sub/foreign.yaml": "not ours",
      "x.yaml": "ours",
    });
  });

  it("writes into a directory that is a link", () => {
    mkdirSync(join(root, "real"));
    symlinkSync("real", out);
    expect(run({ "x.yaml": "ours" }).findings).toStrictEqual([]);
    expect(readFileSync(join(root, "real/x.yaml"), "utf8")).toBe("ours");
  });
});

describe("files that anp did not make", () => {
  const hint = "write to a directory of its own, or use --force to leave it there";
  const foreign = (name: string) =>
    `error output-foreign ROOT/out/${name} is in the output directory and was not made by anp → ${hint}`;
  const inTheWay = (name: string) =>
    `error output-foreign ROOT/out/${name} has the name of a file that anp would write, and was not made by anp → move or remove it, or write to another directory`;

  it("stop the writing, whatever they are", () => {
    put("README.md", "");
    put("foreign.yaml", "not ours");
    put("ours.yml", "ours, but anp writes .yaml");
    put("gone.yaml", "ours gone");
    symlinkSync("gone.yaml", join(out, "link.yaml"));
    symlinkSync("nowhere", join(out, "dangling.yaml"));
    execFileSync("mkfifo", [join(out, "pipe.yaml")]);
    const before = present();
    expect(run({ "x.yaml": "ours" })).toStrictEqual({
      ...NOTHING,
      findings: ["README.md", "dangling.yaml", "foreign.yaml", "link.yaml", "ours.yml", "pipe.yaml"].map(foreign),
    });
    expect(present()).toStrictEqual(before);
  });

  it("stay with --force, and the rest is written and removed", () => {
    put("README.md", "hello");
    put("foreign.yaml", "not ours");
    put("gone.yaml", "ours gone");
    symlinkSync("nowhere", join(out, "dangling.yaml"));
    expect(run({ "x.yaml": "ours" }, { force: true })).toStrictEqual({
      write: ["x.yaml"],
      unchanged: [],
      remove: ["gone.yaml"],
      findings: [],
    });
    expect(present()).toStrictEqual({
      "README.md": "hello",
      "dangling.yaml": "-> nowhere",
      "foreign.yaml": "not ours",
      "x.yaml": "ours",
    });
  });

  it("are not replaced even with --force", () => {
    put("a.yaml", "not ours");
    symlinkSync(join(root, "elsewhere"), join(out, "b.yaml"));
    mkdirSync(join(out, "c.yaml"));
    put("gone.yaml", "ours gone");
    const before = present();
    const files = { "a.yaml": "ours a", "b.yaml": "ours b", "c.yaml": "ours c", "d.yaml": "ours d" };
    expect(run(files, { force: true })).toStrictEqual({
      ...NOTHING,
      findings: ["a.yaml", "b.yaml", "c.yaml"].map(inTheWay),
    });
    expect(present()).toStrictEqual(before);
  });

  it("may be a folder with the name of a file, without --force too", () => {
    mkdirSync(join(out, "c.yaml"), { recursive: true });
    expect(run({ "c.yaml": "ours" })).toStrictEqual({ ...NOTHING, findings: [inTheWay("c.yaml")] });
  });
});

describe("pruning", () => {
  it("is refused as a whole if it is not allowed", () => {
    for (let at = 1; at <= 7; at++) put(`gone-${at}.yaml`, "ours");
    const before = present();
    expect(run({ "x.yaml": "ours" }, { prune: false })).toStrictEqual({
      ...NOTHING,
      findings: [
        "error output-kept ROOT/out holds gone-1.yaml, gone-2.yaml, gone-3.yaml, gone-4.yaml, gone-5.yaml and 2 more, which the input no longer has; nothing was written or removed → check the paths; --allow-empty removes them",
      ],
    });
    expect(present()).toStrictEqual(before);
  });

  it("does not matter if nothing is stale", () => {
    put("x.yaml", "ours old");
    expect(run({ "x.yaml": "ours" }, { prune: false })).toStrictEqual({ ...NOTHING, write: ["x.yaml"], findings: [] });
  });

  it("does not mind a file that was removed in the meantime", () => {
    put("gone.yaml", "ours");
    const { plan } = planDirectory({ directory: out, files: new Map(), isOurs: () => true, force: false, prune: true });
    rmSync(join(out, "gone.yaml"));
    expect(writeDirectory(plan)).toStrictEqual([]);
  });
});

describe("what cannot be written", () => {
  it.each<[what: string, prepare: () => void, finding: string]>([
    [
      "a file in place of the directory",
      () => writeFileSync(out, ""),
      "error output-unwritable ROOT/out cannot be written: it is not a directory",
    ],
    [
      "a file above the directory",
      () => ((out = join(root, "file/out")), writeFileSync(join(root, "file"), "")),
      "error output-unwritable ROOT/file/out cannot be written: it is not a directory",
    ],
    [
      "a link that leads to nothing",
      () => symlinkSync("nowhere/there", out),
      "error output-unwritable ROOT/out cannot be written: it is not a directory",
    ],
    [
      "a link that leads to itself",
      () => symlinkSync("out", out),
      "error output-unwritable ROOT/out cannot be written: ELOOP",
    ],
  ])("%s", (_what, prepare, finding) => {
    prepare();
    expect(run({ "x.yaml": "ours" }).findings).toStrictEqual([finding]);
  });

  it("a name that is too long, and nothing is removed then", () => {
    put("gone.yaml", "ours gone");
    const name = `${"x".repeat(300)}.yaml`;
    expect(run({ [name]: "ours" }).findings).toStrictEqual([
      `error output-unwritable ROOT/out/${name} cannot be written: the name is too long`,
    ]);
    expect(present()).toStrictEqual({ "gone.yaml": "ours gone" });
  });

  it("a folder that was created in the meantime: no half file stays behind", () => {
    const { plan } = planDirectory({
      directory: out,
      files: new Map([["x.yaml", "ours"]]),
      isOurs: () => true,
      force: false,
      prune: true,
    });
    mkdirSync(join(out, "x.yaml"), { recursive: true });
    expect(writeDirectory(plan).map((finding) => printFinding(finding).replaceAll(root, "ROOT"))).toStrictEqual([
      "error output-unwritable ROOT/out/x.yaml cannot be written: it is a directory",
    ]);
    expect(present()).toStrictEqual({ "x.yaml/": "" });
  });

  it("a folder that replaced one file of several: those before it are restored", () => {
    put("a.yaml", "ours old");
    const files = new Map(["a.yaml", "b.yaml", "c.yaml"].map((name) => [name, "ours new"]));
    const { plan } = planDirectory({ directory: out, files, isOurs: () => true, force: false, prune: true });
    mkdirSync(join(out, "c.yaml"));
    expect(writeDirectory(plan).map((finding) => printFinding(finding).replaceAll(root, "ROOT"))).toStrictEqual([
      "error output-unwritable ROOT/out/c.yaml cannot be written: it is a directory",
    ]);
    expect(present()).toStrictEqual({ "a.yaml": "ours old", "c.yaml/": "" });
  });

  // Root may write everywhere but in the kernel's own file systems.
  it.skipIf(!existsSync("/proc/self/task"))("a directory without write permission", () => {
    out = "/proc/self/task";
    expect(run({ "x.yaml": "ours" }).findings).toStrictEqual([
      "error output-unwritable /proc/self/task/x.yaml cannot be written: ENOENT",
    ]);
  });

  it("is an internal error if it does not come from the system", () => {
    put("x.yaml", "ours");
    const isOurs = () => {
      throw new TypeError("a bug");
    };
    expect(() => run({}, { isOurs })).toThrow(new TypeError("a bug"));
  });
});

describe("writeFileAtomically", () => {
  it("replaces a file and leaves nothing beside it", () => {
    put("x", "old");
    writeFileAtomically(join(out, "x"), "new");
    expect(present()).toStrictEqual({ x: "new" });
  });

  it("gives the file a new inode, so that a reader of the old one reads on", () => {
    put("x", "old");
    const before = lstatSync(join(out, "x")).ino;
    writeFileAtomically(join(out, "x"), "new");
    expect(lstatSync(join(out, "x")).ino).not.toBe(before);
  });

  it("does not follow a link in place of its temporary file", () => {
    put("x", "old");
    put("victim", "precious");
    symlinkSync("victim", join(out, `.x.anp-${process.pid}.tmp`));
    writeFileAtomically(join(out, "x"), "new");
    expect(present()).toStrictEqual({ victim: "precious", x: "new" });
  });

  it.each<[what: string, path: () => string, code: string]>([
    ["no folder", () => join(out, "missing/x"), "ENOENT"],
    ["a file as folder", () => (put("file", ""), join(out, "file/x")), "ENOTDIR"],
    ["a folder as file", () => (mkdirSync(join(out, "x"), { recursive: true }), join(out, "x")), "EISDIR"],
  ])("fails at the path it was given: %s", (_what, pathOf, code) => {
    const path = pathOf();
    expect(() => writeFileAtomically(path, "new")).toThrow(expect.objectContaining({ code, path }));
  });
});

describe("foldersIn", () => {
  it("are the visible ones, sorted", () => {
    for (const name of ["b", "a", ".git"]) mkdirSync(join(out, name), { recursive: true });
    put("c.yaml", "");
    symlinkSync("a", join(out, "link"));
    expect(foldersIn(out)).toStrictEqual(["a", "b"]);
  });

  it("are none if the directory is missing or unreadable", () => {
    put("file", "");
    expect([
      foldersIn(join(out, "missing")),
      foldersIn(join(out, "file")),
      foldersIn(join(out, "file/x")),
    ]).toStrictEqual([[], [], []]);
  });
});
