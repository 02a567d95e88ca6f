/** Reading files, directories, links and streams of a real file system. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ReadRequest, readSources } from "./read.ts";
import { printFinding } from "../../../test/support/source.ts";

let root: string;
let before: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "anp-read-")));
  before = process.cwd();
  process.chdir(root);
});
afterEach(() => {
  process.chdir(before);
  rmSync(root, { recursive: true, force: true });
});

/** Files by path; a text that begins with `-> ` is a link. */
function make(files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string" && content.startsWith("-> ")) symlinkSync(content.slice(3), path);
    else writeFileSync(path, content);
  }
}

/** Makes the folder the top of a git repository, which is the boundary of links. */
const GIT = { ".git/HEAD": "", ".git/objects/x": "" };

/** `file in folder: text`, and its flags. */
function read(paths: readonly string[], more: Partial<ReadRequest> = {}): { sources: string[]; findings: string[] } {
  const readStdin = () => {
    throw new Error("the standard input is not among the paths");
  };
  const { value, findings } = readSources({ paths, readStdin, ...more });
  const sources = value.map(({ file, folder, text, explicit, trusted, config, ofFleet, ofOtherTool }) => {
    const flags = [
      explicit && "explicit",
      !trusted && "untrusted",
      config && "config",
      ofFleet !== undefined && "fleet",
      ofOtherTool === true && "tool",
    ].filter((flag) => flag !== false);
    return `${[file, ...flags].join(" ")} in ${folder.replace(root, "ROOT")}: ${text}`;
  });
  return { sources, findings: findings.map((finding) => printFinding(finding).replaceAll(root, "ROOT")) };
}

const MISSING = "does not exist → check the path; a link may lead to nothing";

describe("directories", () => {
  it("are read downwards, sorted by name, by their endings", () => {
    make({
      "d/b.yaml": "1",
      "d/a.yml": "2",
      "d/c.json": "3",
      "d/D.YAML": "4",
      "d/a/z.yaml": "5",
      "d/a/y/x.yaml": "6",
      "d/e.yaml.bak": "",
      "d/README.md": "",
      "d/yaml": "",
      "d/f.yaml/g.yaml": "7",
      "d/empty/h.txt": "",
    });
    expect(read(["d"])).toStrictEqual({
      sources: [
        "d/D.YAML in ROOT/d: 4",
        "d/a/y/x.yaml in ROOT/d/a/y: 6",
        "d/a/z.yaml in ROOT/d/a: 5",
        "d/a.yml in ROOT/d: 2",
        "d/b.yaml in ROOT/d: 1",
        "d/c.json in ROOT/d: 3",
        "d/f.yaml/g.yaml in ROOT/d/f.yaml: 7",
      ],
      findings: [],
    });
  });

  it("may hold names of any characters", () => {
    make({
      "d/a b.yaml": "1",
      "d/é😀.yaml": "2",
      "d/new\nline.yaml": "3",
      "d/back\\slash.yaml": "4",
      "d/-.yaml": "5",
      "d/'\"$(x).yaml": "6",
    });
    expect(read(["d", "d/back\\slash.yaml"])).toStrictEqual({
      sources: ["'\"$(x).yaml", "-.yaml", "a b.yaml", "back\\slash.yaml", "new\nline.yaml", "é😀.yaml"].map(
        (name) => `d/${name} in ROOT/d: ${{ "'": 6, "-": 5, a: 1, b: 4, n: 3, é: 2 }[name[0]!]}`,
      ),
      findings: [],
    });
  });

  it("report skipped entries that a user may expect to be read", () => {
    make({
      "d/.hidden/a.yaml": "",
      "d/.b.yaml": "",
      "d/.gitignore": "",
      "d/kustomization.yaml": "",
      "d/kustomization.yml": "",
      "d/Kustomization": "",
      "d/Kptfile": "",
      "d/kptfile": "",
      "d/c.yaml": "c",
    });
    expect(read(["d"])).toStrictEqual({
      sources: ["d/c.yaml in ROOT/d: c"],
      findings: [
        "info file-skipped d/.b.yaml hidden files are not read",
        "info file-skipped d/.hidden hidden folders are not read",
        ...["Kptfile", "Kustomization", "kustomization.yaml", "kustomization.yml"].map(
          (name) => `info file-skipped d/${name} is configuration of kustomize or kpt, not a manifest`,
        ),
      ],
    });
  });

  it("are read as folders, whatever file has their name", () => {
    make({ "d/Kptfile/a.yaml": "1", "d/kustomization.yaml/b.yaml": "2" });
    expect(read(["d"])).toStrictEqual({
      sources: ["d/Kptfile/a.yaml in ROOT/d/Kptfile: 1", "d/kustomization.yaml/b.yaml in ROOT/d/kustomization.yaml: 2"],
      findings: [],
    });
  });

  it("include configuration of other tools on request, named in .krmignore or not", () => {
    make({
      "d/Kptfile": "1",
      "d/kustomization.yaml": "-> pool.yaml",
      "d/pool.yaml": "2",
      "d/x/.krmignore": "Kustomization\nKptfile\n",
      "d/x/Kustomization": "3",
      "d/x/Kptfile/a.yaml": "4",
    });
    const { sources, findings } = read(["d"], { ofOtherTools: true });
    const info = (name: string) => `info file-skipped d/${name} is configuration of kustomize or kpt, not a manifest`;
    expect({ sources, findings }).toStrictEqual({
      sources: [
        "d/Kptfile tool in ROOT/d: 1",
        "d/kustomization.yaml tool in ROOT/d: 2",
        "d/x/Kustomization tool in ROOT/d/x: 3",
      ],
      findings: [
        info("Kptfile"),
        info("kustomization.yaml"),
        "info file-skipped d/x/Kptfile left out by .krmignore",
        info("x/Kustomization"),
      ],
    });
  });

  it("read what the user names, hidden or not, whatever its ending", () => {
    make({ ".h/a.yaml": "1", ".b.yaml": "2", "kustomization.yaml": "3", notes: "4" });
    expect(read([".h", ".b.yaml", "kustomization.yaml", "notes"])).toStrictEqual({
      sources: [
        ".h/a.yaml in ROOT/.h: 1",
        ".b.yaml explicit in ROOT: 2",
        "kustomization.yaml explicit in ROOT: 3",
        "notes explicit in ROOT: 4",
      ],
      findings: [],
    });
  });

  it.each<[what: string, path: string, prefix: string]>([
    ["from outside", "d", "d/"],
    ["with a slash at its end", "d/", "d/"],
    ["from inside", ".", ""],
    ["from below", "..", "../"],
    ["the long way", "./x/../d/.", "d/"],
    ["from the root", "ROOT/d", "ROOT/d/"],
  ])("obey .krmignore: %s", (_what, path, prefix) => {
    make({
      "d/.krmignore": "*.json\n/a.yaml\nold/\n!keep.json\n",
      "d/a.yaml": "",
      "d/b.yaml": "1",
      "d/c.json": "",
      "d/keep.json": "2",
      "d/old/e.yaml": "",
      "d/sub/a.yaml": "3",
      "d/sub/.krmignore": "f.yaml\n",
      "d/sub/f.yaml": "",
      "x/y": "",
    });
    process.chdir({ ".": "d", "..": "d/sub" }[path] ?? ".");
    const { sources, findings } = read([path.replace("ROOT", root)]);
    expect(sources.map((source) => source.replace(root, "ROOT"))).toStrictEqual([
      `${prefix}b.yaml in ROOT/d: 1`,
      `${prefix}keep.json in ROOT/d: 2`,
      `${prefix}sub/a.yaml in ROOT/d/sub: 3`,
    ]);
    expect(findings).toStrictEqual(
      ["a.yaml", "c.json", "old", "sub/f.yaml"].map(
        (name) => `info file-skipped ${prefix}${name} left out by .krmignore`,
      ),
    );
  });

  it("read a folder named .krmignore no more than other hidden folders", () => {
    make({ "d/.krmignore/a.yaml": "", "d/b.yaml": "1" });
    expect(read(["d"])).toStrictEqual({
      sources: ["d/b.yaml in ROOT/d: 1"],
      findings: ["info file-skipped d/.krmignore hidden folders are not read"],
    });
  });

  it("report an unreadable .krmignore: what it leaves out is unknown", () => {
    make({ "d/.krmignore": "-> nowhere", "d/b.yaml": "1" });
    expect(read(["d"])).toStrictEqual({
      sources: ["d/b.yaml in ROOT/d: 1"],
      findings: [`error file-unreadable d/.krmignore ${MISSING}`],
    });
  });

  it("do not wait for pipes and sockets", async () => {
    make({ "d/a.yaml": "1", "d/link.yaml": "-> pipe.yaml", "d/device.yaml": "-> /dev/zero" });
    execFileSync("mkfifo", ["d/pipe.yaml", "d/pipe"]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen("d/socket.yaml", resolve));
    const { sources, findings } = read(["d"]);
    server.close();
    expect(sources).toStrictEqual(["d/a.yaml in ROOT/d: 1"]);
    expect(findings).toStrictEqual(
      ["device", "link", "pipe", "socket"].map(
        (name) => `info file-skipped d/${name}.yaml is neither a file nor a folder`,
      ),
    );
  });

  it("may be empty", () => {
    mkdirSync("d");
    expect(read(["d"])).toStrictEqual({ sources: [], findings: [] });
  });
});

describe("several paths", () => {
  it("keep their order, and give each file once", () => {
    make({ "d/a.yaml": "1", "d/b.yaml": "2", "c.yaml": "3" });
    const spellings = ["d/b.yaml", "c.yaml", "d", "./d/", "d/../d", `${root}/d`, `${root}/c.yaml`, "./c.yaml"];
    expect(read(spellings)).toStrictEqual({
      sources: ["d/b.yaml explicit in ROOT/d: 2", "c.yaml explicit in ROOT: 3", "d/a.yaml in ROOT/d: 1"],
      findings: [],
    });
  });

  it("take the standard input as one of them", () => {
    make({ "a.yaml": "1", "b.yaml": "2" });
    expect(read(["a.yaml", "-", "b.yaml"], { readStdin: () => Buffer.from("\ufeffx: é\n") })).toStrictEqual({
      sources: ["a.yaml explicit in ROOT: 1", "<stdin> explicit in : x: é\n", "b.yaml explicit in ROOT: 2"],
      findings: [],
    });
  });

  it("go on after one that cannot be read", () => {
    make({ "a.yaml": "1", "b.yaml": "2" });
    expect(read(["missing", "a.yaml", "", "a.yaml/x", "b.yaml/"])).toStrictEqual({
      sources: ["a.yaml explicit in ROOT: 1", "b.yaml explicit in ROOT: 2"],
      findings: [
        `error file-unreadable missing ${MISSING}`,
        "error file-unreadable one of the paths is empty → check whether a variable is unset",
        "error file-unreadable a.yaml/x does not exist: a part of the path is a file, not a directory",
      ],
    });
  });
});

describe("links", () => {
  it("are followed, and the file counts for the folder of the link", () => {
    make({
      ...GIT,
      "shared/p.yaml": "1",
      "a/p.yaml": "-> ../shared/p.yaml",
      "b/p.yaml": "-> ../shared/p.yaml",
      "c/base": "-> ../shared",
      "d/base": "-> ../shared",
    });
    expect(read(["a", "b", "c", "d"])).toStrictEqual({
      sources: [
        "a/p.yaml in ROOT/a: 1",
        "b/p.yaml in ROOT/b: 1",
        "c/base/p.yaml in ROOT/c/base: 1",
        "d/base/p.yaml in ROOT/d/base: 1",
      ],
      findings: [],
    });
  });

  it("give a file once in one folder", () => {
    make({ "d/a.yaml": "1", "d/b.yaml": "-> a.yaml", "d/c.yaml": `-> ${root}/d/a.yaml` });
    expect(read(["d", "d/c.yaml"])).toStrictEqual({ sources: ["d/a.yaml in ROOT/d: 1"], findings: [] });
  });

  it("end where they lead back", () => {
    make({
      ...GIT,
      "d/a.yaml": "1",
      "d/self": "-> .",
      "d/sub/up": "-> ..",
      "d/sub/b.yaml": "2",
      "d/sub/far": `-> ${root}`,
      "e/c.yaml": "3",
      "e/d": "-> ../d",
      "d/e": "-> ../e",
    });
    expect(read(["d"])).toStrictEqual({
      sources: [
        "d/a.yaml in ROOT/d: 1",
        "d/e/c.yaml in ROOT/d/e: 3",
        "d/sub/b.yaml in ROOT/d/sub: 2",
        "d/sub/far/e/c.yaml in ROOT/d/sub/far/e: 3",
      ],
      findings: [],
    });
  });

  it("without a target or to themselves are errors, unless they would not be read", () => {
    make({
      "d/a.yaml": "-> nowhere",
      "d/folder": "-> nowhere",
      "d/loop.yaml": "-> loop.yaml",
      "d/.#b.yaml": "-> user@host.1",
      "d/left.yaml": "-> nowhere",
      "d/out": "-> nowhere",
      "d/.krmignore": "left.yaml\nout/\n",
    });
    expect(read(["d", "d/a.yaml"])).toStrictEqual({
      sources: [],
      findings: [
        `error file-unreadable d/a.yaml ${MISSING}`,
        `error file-unreadable d/folder ${MISSING}`,
        "error file-unreadable d/loop.yaml is a link that leads back to itself",
        `error file-unreadable d/a.yaml ${MISSING}`,
      ],
    });
  });

  it("to folders obey .krmignore and the rule for hidden folders", () => {
    make({
      ...GIT,
      "s/a.yaml": "1",
      "d/.krmignore": "out/\n",
      "d/out": "-> ../s",
      "d/.hidden": "-> ../s",
      "d/in": "-> ../s",
    });
    expect(read(["d"])).toStrictEqual({
      sources: ["d/in/a.yaml in ROOT/d/in: 1"],
      findings: [
        "info file-skipped d/.hidden hidden folders are not read",
        "info file-skipped d/out left out by .krmignore",
      ],
    });
  });

  it("that multiply what is behind them end at a limit", () => {
    for (let level = 0; level < 30; level++)
      make({ [`d${level}/l`]: `-> ../d${level + 1}`, [`d${level}/m`]: `-> ../d${level + 1}` });
    make({ ...GIT, "d30/a.yaml": "1" });
    const { findings } = read(["d0"]);
    expect(findings.map((finding) => finding.replace(/d0\S*/, "d0/…"))).toStrictEqual([
      "error input-limit d0/… is one of more than 10000 folders that are reached through links; the others are not read → remove the link that leads out of the package, or name it in .krmignore",
    ]);
  });

  it("of a mounted ConfigMap give each file once", () => {
    make({ "m/..2026_11_20/a.yaml": "1", "m/..data": "-> ..2026_11_20", "m/a.yaml": "-> ..data/a.yaml" });
    expect(read(["m"])).toStrictEqual({
      sources: ["m/a.yaml in ROOT/m: 1"],
      findings: ["..2026_11_20", "..data"].map((name) => `info file-skipped m/${name} hidden folders are not read`),
    });
  });
});

describe("links that lead out", () => {
  const OUTSIDE =
    "is a link that leads outside the given paths and their git repository; nothing of it is read → replace it with a file, give its target as a PATH, or name the link in .krmignore";
  const outside = (link: string) => `error link-outside ${link} ${OUTSIDE}`;

  it("are errors that name the link, whatever they lead to", () => {
    make({
      "secret/a.yaml": "hush",
      "secret/folder/b.yaml": "hush",
      "d/a.yaml": "-> ../secret/a.yaml",
      "d/chain.yaml": "-> second.yaml",
      "d/second.yaml": "-> ../secret/a.yaml",
      "d/folder": "-> ../secret/folder",
      "d/root": "-> /",
      "d/own.yaml": "1",
    });
    expect(read(["d"])).toStrictEqual({
      sources: ["d/own.yaml in ROOT/d: 1"],
      // A file is given once in a folder, whatever the names of the links.
      findings: ["a.yaml", "folder", "root"].map((name) => outside(`d/${name}`)),
    });
  });

  it.skipIf(!existsSync("/proc/self/environ"))("show nothing of the process", () => {
    make({ "d/a.yaml": "-> /proc/self/environ" });
    expect(read(["d"])).toStrictEqual({ sources: [], findings: [outside("d/a.yaml")] });
  });

  it("may lead to another PATH, to --policy-dir and to --config", () => {
    make({
      "rules/p.yaml": "1",
      "other/o.yaml": "2",
      "c.yaml": "3",
      "d/p.yaml": "-> ../rules/p.yaml",
      "d/o.yaml": "-> ../other/o.yaml",
      "d/c.yaml": "-> ../c.yaml",
    });
    const policyDir = "rules";
    expect(read(["d", "other"], { policyDir, config: "c.yaml" }).findings).toStrictEqual([
      "info file-skipped d/p.yaml is a link to a file of the policy directory, which is read only there",
    ]);
    expect(read(["d", "other"]).findings).toStrictEqual([outside("d/c.yaml"), outside("d/p.yaml")]);
    expect(read(["d"], { root: "." }).findings).toStrictEqual([]);
  });

  it("may not lead into .git, which holds credentials", () => {
    make({ ...GIT, ".git/config": "token", "d/a.yaml": "-> ../.git/config", "d/b": "-> ../.git" });
    expect(read(["d"])).toStrictEqual({ sources: [], findings: [outside("d/a.yaml"), outside("d/b")] });
  });

  it("do not matter if they are not read", () => {
    make({
      "secret/a.yaml": "hush",
      "d/.a.yaml": "-> ../secret/a.yaml",
      "d/notes.txt": "-> ../secret/a.yaml",
      "d/out.yaml": "-> ../secret/a.yaml",
      "d/folder": "-> ../secret",
      "d/.krmignore": "out.yaml\nfolder/\n",
    });
    expect(read(["d"]).findings).toStrictEqual([
      "info file-skipped d/.a.yaml hidden files are not read",
      "info file-skipped d/folder left out by .krmignore",
      "info file-skipped d/out.yaml left out by .krmignore",
    ]);
  });

  it("are the user's own outside a repository, and refused as PATH inside one", () => {
    make({ "far/a.yaml": "1", link: "-> far", "file.yaml": "-> far/a.yaml" });
    expect(read(["link", "file.yaml"])).toStrictEqual({
      sources: ["link/a.yaml in ROOT/link: 1", "file.yaml explicit in ROOT: 1"],
      findings: [],
    });
    const inside = { "repo/.git/HEAD": "", "repo/.git/objects/x": "", "repo/near/a.yaml": "1", "repo/ok": "-> near" };
    make({ ...inside, "repo/in": "-> ../far", "repo/deep/in": "-> ../../far", "repo/a.yaml": "-> ../far/a.yaml" });
    expect(read(["repo/ok"]).findings).toStrictEqual([]);
    for (const [path, link] of [
      ["repo/in", "repo/in"],
      ["repo/in/a.yaml", "repo/in"],
      [`${root}/repo/deep/in`, "ROOT/repo/deep/in"],
      ["repo/a.yaml", "repo/a.yaml"],
    ] as const) {
      expect(read([path])).toStrictEqual({ sources: [], findings: [outside(link)] });
      expect(read([], { policyDir: path }).sources).toStrictEqual([]);
      expect(read([], { config: path })).toStrictEqual({ sources: [], findings: [outside(link)] });
    }
  });

  it("do not turn .krmignore into an endless file, or a file of another owner", () => {
    make({ "d/.krmignore": "-> /dev/zero", "d/a.yaml": "1", "e/.krmignore": "-> ../secret", secret: "a.yaml" });
    expect(read(["d", "e"]).findings).toStrictEqual([outside("d/.krmignore"), outside("e/.krmignore")]);
    execFileSync("mkfifo", ["d/pipe"]);
    rmSync("d/.krmignore");
    symlinkSync("pipe", "d/.krmignore");
    expect(read(["d"]).findings).toStrictEqual([
      "error file-unreadable d/.krmignore is neither a file nor a link to one → remove it",
    ]);
    rmSync("d/.krmignore");
    writeFileSync("d/.krmignore", "");
    truncateSync("d/.krmignore", 64 * 1024 * 1024 + 1);
    expect(read(["d"]).findings).toStrictEqual([
      "error input-limit d/.krmignore is 65 MiB, more than the 64 MiB that anp reads → split the file",
    ]);
  });
});

describe("bytes", () => {
  it.each<[what: string, bytes: string | Buffer, text: string]>([
    ["nothing", "", ""],
    ["a byte order mark", "\ufeffa: 1\n", "a: 1\n"],
    [
      "byte order marks in the middle, as cat leaves them",
      "\ufeffa: 1\n---\n\ufeffb: 2\n\ufeff---\n\ufeffc: 3\n",
      "a: 1\n---\nb: 2\n---\nc: 3\n",
    ],
    ["a byte order mark in a line is a character", 'a: "\ufeff"\n', 'a: "\ufeff"\n'],
    ["CRLF stays", "a: 1\r\n", "a: 1\r\n"],
    ["NUL stays, and is the parser's matter", "a\0", "a\0"],
    ["four bytes a character", "😀", "😀"],
  ])("%s", (_what, bytes, text) => {
    make({ "a.yaml": bytes });
    expect(read(["a.yaml"])).toStrictEqual({ sources: [`a.yaml explicit in ROOT: ${text}`], findings: [] });
  });

  it.each<[what: string, bytes: Buffer, finding: string]>([
    ["UTF-16, little endian", Buffer.from("\ufeffa: 1", "utf16le"), "is UTF-16, and must be UTF-8"],
    ["UTF-16, big endian", Buffer.from("\ufeffa: 1", "utf16le").swap16(), "is UTF-16, and must be UTF-8"],
    ["Latin-1", Buffer.from("a: \xe9t\xe9", "latin1"), "holds bytes that are not UTF-8"],
    ["a surrogate", Buffer.from([0x61, 0xed, 0xa0, 0x80]), "holds bytes that are not UTF-8"],
    ["half a character", Buffer.from([0xf0, 0x9f, 0x98]), "holds bytes that are not UTF-8"],
    ["an overlong slash", Buffer.from([0xc0, 0xaf]), "holds bytes that are not UTF-8"],
  ])("%s", (_what, bytes, message) => {
    make({ "a.yaml": bytes, "b.yaml": "1" });
    expect(read(["a.yaml", "b.yaml"])).toStrictEqual({
      sources: ["b.yaml explicit in ROOT: 1"],
      findings: [`error not-utf8 a.yaml ${message} → save the file as UTF-8`],
    });
    expect(read(["-"], { readStdin: () => bytes }).findings).toStrictEqual([
      `error not-utf8 <stdin> ${message} → save the file as UTF-8`,
    ]);
  });

  it("are counted before they are read", () => {
    make({ "d/large.yaml": "", "d/small.yaml": "1" });
    truncateSync("d/large.yaml", 64 * 1024 * 1024 + 1);
    const tooLarge = (file: string) =>
      `error input-limit ${file} is 65 MiB, more than the 64 MiB that anp reads → split the file`;
    expect(read(["d"])).toStrictEqual({ sources: ["d/small.yaml in ROOT/d: 1"], findings: [tooLarge("d/large.yaml")] });
    expect(read(["-"], { readStdin: () => Buffer.alloc(64 * 1024 * 1024 + 1) }).findings).toStrictEqual([
      tooLarge("<stdin>"),
    ]);
  });

  it("have one limit for all that is read, also through links", () => {
    make({ "d/a/large.yaml": "", "d/z.yaml": "1" });
    truncateSync("d/a/large.yaml", 20 * 1024 * 1024);
    for (const name of ["b", "c", "d", "e"]) make({ [`d/${name}/link.yaml`]: "-> ../a/large.yaml" });
    const { sources, findings } = read(["d"]);
    expect(sources.map((source) => source.slice(0, 30).split(" ")[0])).toStrictEqual([
      "d/a/large.yaml",
      "d/b/link.yaml",
      "d/c/link.yaml",
    ]);
    expect(findings).toStrictEqual([
      "error input-limit d/d/link.yaml brings the input to more than the 64 MiB that anp reads in all; the rest is not read → name fewer paths; a file counts each time that a link leads to it",
    ]);
  });

  it("of a pipe are read, as in anp render <(kustomize build)", () => {
    execFileSync("mkfifo", ["pipe"]);
    execFileSync("sh", ["-c", "(printf 'a: 1\\n'; printf 'b: 2\\n') > pipe &"], { stdio: "ignore" });
    expect(read(["pipe"])).toStrictEqual({ sources: ["pipe explicit in ROOT: a: 1\nb: 2\n"], findings: [] });
  });

  it.skipIf(!existsSync("/dev/zero"))("of an endless device are not read", () => {
    expect(read(["/dev/zero"])).toStrictEqual({
      sources: [],
      findings: ["error input-limit /dev/zero is 65 MiB, more than the 64 MiB that anp reads → split the file"],
    });
  });
});

describe("what cannot be read", () => {
  it.skipIf(!existsSync("/proc/self/mem"))("a file that the kernel refuses", () => {
    expect(read(["/proc/self/mem"])).toStrictEqual({
      sources: [],
      findings: ["error file-unreadable /proc/self/mem cannot be read: EIO"],
    });
  });

  it("a socket that the user names", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen("socket", resolve));
    const { sources, findings } = read(["socket"]);
    server.close();
    expect({ sources, findings }).toStrictEqual({
      sources: [],
      findings: ["error file-unreadable socket cannot be read: ENXIO"],
    });
  });

  it("a working directory that is gone", () => {
    mkdirSync("gone");
    process.chdir("gone");
    rmSync(join(root, "gone"), { recursive: true });
    expect(read([".", "a.yaml"])).toStrictEqual({
      sources: [],
      findings: [`error file-unreadable . ${MISSING}`, `error file-unreadable a.yaml ${MISSING}`],
    });
  });

  it("a standard input that is a directory", () => {
    const readStdin = () => {
      throw Object.assign(new Error("EISDIR"), { code: "EISDIR" });
    };
    expect(read(["-"], { readStdin })).toStrictEqual({
      sources: [],
      findings: ["error file-unreadable <stdin> is a directory, and a file is needed here"],
    });
  });

  it("a name that is not UTF-8", () => {
    mkdirSync("d");
    writeFileSync(Buffer.from("d/\xe9.yaml", "latin1"), "1");
    expect(read(["d"])).toStrictEqual({
      sources: [],
      findings: ["error file-unreadable d/\ufffd.yaml has a name that is not UTF-8 → rename it"],
    });
  });

  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.stdout.write("read.test.ts: skipped what permissions forbid: root may read everything\n");
  it.skipIf(isRoot)("what permissions forbid", () => {
    make({ "d/a.yaml": "1", "d/sub/b.yaml": "2" });
    chmodSync("d/a.yaml", 0);
    chmodSync("d/sub", 0);
    const denied = "may not be read: permission denied → give the user that runs anp permission to read it";
    const { sources, findings } = read(["d"]);
    chmodSync("d/sub", 0o700);
    expect({ sources, findings }).toStrictEqual({
      sources: [],
      findings: [`error file-unreadable d/a.yaml ${denied}`, `error file-unreadable d/sub ${denied}`],
    });
  });
});

describe("where rules come from", () => {
  it("is everywhere without --policy-dir", () => {
    make({ "a.yaml": "1" });
    expect(read(["a.yaml"])).toStrictEqual({ sources: ["a.yaml explicit in ROOT: 1"], findings: [] });
  });

  it("is the policy directory, also where a path holds it", () => {
    make({ "policy/p.yaml": "1", "users/u.yaml": "2" });
    expect(read([".", "-"], { policyDir: "./policy/", readStdin: () => Buffer.from("3") })).toStrictEqual({
      sources: [
        "policy/p.yaml in ROOT/policy: 1",
        "users/u.yaml untrusted in ROOT/users: 2",
        "<stdin> explicit untrusted in : 3",
      ],
      findings: [],
    });
  });

  it("is a folder, and its files are marked", () => {
    make({ "policy/p.yaml": "1", "policy/q/p.yaml": "1", "users/u.yaml": "2", "p.yaml": "1" });
    const ofPolicyDir = (paths: readonly string[], policyDir?: string) =>
      readSources({ paths, policyDir, readStdin: () => Buffer.alloc(0) })
        .value.filter((source) => source.ofPolicyDir)
        .map(({ file }) => file);
    expect(ofPolicyDir(["."], "policy")).toStrictEqual(["policy/p.yaml", "policy/q/p.yaml"]);
    expect(ofPolicyDir(["users"], "p.yaml")).toStrictEqual(["p.yaml"]);
    expect(ofPolicyDir(["policy"])).toStrictEqual([]);
  });

  it("is read in its own place only, even if other folders link to it", () => {
    make({ "policy/p.yaml": "1", "users/p.yaml": "-> ../policy/p.yaml", "users/q": "-> ../policy" });
    expect(read(["users"], { policyDir: "policy" })).toStrictEqual({
      sources: ["policy/p.yaml in ROOT/policy: 1"],
      findings: ["users/p.yaml", "users/q/p.yaml"].map(
        (file) => `info file-skipped ${file} is a link to a file of the policy directory, which is read only there`,
      ),
    });
  });

  it("may be several, with a star for every folder that is neither a link nor hidden", () => {
    make({
      "x/a/policy/p.yaml": "1",
      "x/b/policy/p.yaml": "2",
      "x/b/pools/policy/p.yaml": "3",
      "x/c/pools/u.yaml": "4",
      "x/.d/policy/p.yaml": "5",
      "x/e": "-> a",
    });
    expect(read(["x/b", "x/c"], { policyDir: "x/*/policy" })).toStrictEqual({
      sources: [
        "x/a/policy/p.yaml fleet in ROOT/x/a/policy: 1",
        "x/b/policy/p.yaml fleet in ROOT/x/b/policy: 2",
        "x/b/pools/policy/p.yaml untrusted in ROOT/x/b/pools/policy: 3",
        "x/c/pools/u.yaml untrusted in ROOT/x/c/pools: 4",
      ],
      findings: [],
    });
  });

  it("may be one file of each folder", () => {
    make({ "a/policy.yaml": "1", "a/pool.yaml": "2", "b/policy.yaml": "3" });
    expect(read(["."], { policyDir: "*/policy.yaml" }).sources).toStrictEqual([
      "a/policy.yaml explicit fleet in ROOT/a: 1",
      "b/policy.yaml explicit fleet in ROOT/b: 3",
      "a/pool.yaml untrusted in ROOT/a: 2",
    ]);
  });

  it("records the folder of the last star with each file of rules", () => {
    make({ "x/a/c/b/policy/p.yaml": "1", "x/a/c/b/policy/q/p.yaml": "2", "x/d/c/e/policy/p.yaml": "3" });
    const trees = readSources({ paths: ["x"], policyDir: "x/*/c/*/policy", readStdin: () => Buffer.alloc(0) }).value;
    expect(
      trees.map(({ file, ofFleet, tree }) => [file, relative(root, ofFleet!), relative(root, tree!)]),
    ).toStrictEqual([
      ["x/a/c/b/policy/p.yaml", "x", "x/a/c/b"],
      ["x/a/c/b/policy/q/p.yaml", "x", "x/a/c/b"],
      ["x/d/c/e/policy/p.yaml", "x", "x/d/c/e"],
    ]);
  });

  it("refuses a link in place of a star", () => {
    make({ "a/policy/p.yaml": "1", "b/policy": "-> ../a/policy", "b/u.yaml": "2" });
    expect(read(["b"], { policyDir: "*/policy" }).findings).toStrictEqual([
      "error untrusted-policy b/policy is a link in a place where --policy-dir looks for rules → put the folder or file itself there",
      "info file-skipped b/policy/p.yaml is a link to a file of the policy directory, which is read only there",
    ]);
  });

  it.each(["x/*/rules", "nowhere/*", "a.yaml/*"])("is missing if %s matches nothing", (policyDir) => {
    make({ "x/a/policy/p.yaml": "1", "a.yaml": "2", "y/p.yaml": "3" });
    const { findings } = read([], { policyDir });
    expect(findings.at(-1)).toBe(
      `error input-empty ${policyDir} leads to nothing, and rules are read only there (--policy-dir) → check the path: * stands for every folder in its place, and links are not followed`,
    );
  });

  it("may be one file", () => {
    make({ "p.yaml": "1", "u.yaml": "2" });
    expect(read(["u.yaml", "p.yaml"], { policyDir: "p.yaml" })).toStrictEqual({
      sources: ["p.yaml explicit in ROOT: 1", "u.yaml explicit untrusted in ROOT: 2"],
      findings: [],
    });
  });

  it.each<[what: string, files: Record<string, string>, findings: string[]]>([
    ["missing", {}, [`error file-unreadable policy ${MISSING}`]],
    [
      "empty",
      { "policy/README.md": "" },
      [
        "error input-empty policy holds no manifest, and rules are read only here (--policy-dir) → check the path: manifests end in .yaml, .yml or .json",
      ],
    ],
    [
      "empty but for what is left out",
      { "policy/.p.yaml": "1" },
      [
        "info file-skipped policy/.p.yaml hidden files are not read",
        "error input-empty policy holds no manifest, and rules are read only here (--policy-dir) → check the path: manifests end in .yaml, .yml or .json",
      ],
    ],
    ["unreadable", { "policy/p.yaml": "-> nowhere" }, [`error file-unreadable policy/p.yaml ${MISSING}`]],
  ])("a policy directory that is %s is an error: it would turn every rule off", (_what, files, findings) => {
    make({ ...files, "u.yaml": "2" });
    expect(read(["u.yaml"], { policyDir: "policy" })).toStrictEqual({
      sources: ["u.yaml explicit untrusted in ROOT: 2"],
      findings,
    });
  });

  it("is the file of --config, given once", () => {
    make({ "policy/config.yaml": "1", "users/u.yaml": "2" });
    expect(read(["."], { config: "./policy/config.yaml", policyDir: "policy" })).toStrictEqual({
      sources: ["policy/config.yaml explicit config in ROOT/policy: 1", "users/u.yaml untrusted in ROOT/users: 2"],
      findings: [],
    });
  });

  it("is still empty when the file of --config is elsewhere, and not when it is inside", () => {
    make({ "c.yaml": "1", "empty/README.md": "", "policy/c.yaml": "2" });
    expect(read([], { config: "c.yaml", policyDir: "empty" }).findings).toStrictEqual([
      "error input-empty empty holds no manifest, and rules are read only here (--policy-dir) → check the path: manifests end in .yaml, .yml or .json",
    ]);
    expect(read([], { config: "policy/c.yaml", policyDir: "policy" }).findings).toStrictEqual([]);
  });

  it.each<[what: string, config: string, finding: string]>([
    ["missing", "nowhere.yaml", `error file-unreadable nowhere.yaml ${MISSING}`],
    ["a directory", ".", "error file-unreadable . is a directory, and a file is needed here"],
    ["empty", "", "error file-unreadable one of the paths is empty → check whether a variable is unset"],
  ])("--config that is %s", (_what, config, finding) => {
    make({ "u.yaml": "2" });
    expect(read(["u.yaml"], { config })).toStrictEqual({
      sources: ["u.yaml explicit in ROOT: 2"],
      findings: [finding],
    });
  });
});
