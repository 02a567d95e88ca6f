/** The lint rules, and the import table of docs/architecture.md. */
import { defineConfig, type OxlintOverride } from "oxlint";

type Rules = NonNullable<OxlintOverride["rules"]>;

interface Stage {
  readonly folder: string;
  /** Folders under src/ that it may import, beside itself. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** Files of the folder that may use node:*; `"all"` opens the whole folder. */
  readonly node: readonly string[] | "all";
  readonly reason: string;
}

const STAGES: readonly Stage[] = [
  {
    folder: "krm",
    imports: [],
    packages: ["yaml", "zod", "ignore"],
    node: [
      "read/read",
      "read/cluster-dumps",
      "read/disk-tree",
      "read/read-file",
      "read/link-boundary",
      "write/file-name",
      "write/write-directory",
      "write/write-files",
      "read/git-repository",
      "git/run",
      "git/sources",
      "git/tree",
      "builds/build",
      "builds/chart",
      "builds/helm",
      "builds/kustomize",
      "builds/releases",
      "builds/run",
      "terraform/module",
    ],
    reason: "krm reads and writes text, and knows no kinds",
  },
  {
    folder: "model",
    imports: ["krm"],
    packages: ["zod"],
    node: [],
    reason: "model defines kinds and inputs, and knows no later stage",
  },
  {
    folder: "karpenter",
    imports: ["krm", "model"],
    packages: [],
    node: [],
    reason: "karpenter states upstream semantics as values",
  },
  {
    folder: "resolve",
    imports: ["krm", "model", "karpenter"],
    packages: [],
    node: [],
    reason: "a hosted cluster is resolved once, before any command uses it",
  },
  {
    folder: "render",
    imports: ["krm", "model", "karpenter", "resolve"],
    packages: [],
    node: [],
    reason: "rendering is a pure function of the resolved cluster",
  },
  {
    folder: "adopt",
    imports: ["krm", "model", "karpenter", "resolve", "render"],
    packages: [],
    node: [],
    reason: "adopting inverts rendering",
  },
  {
    folder: "guard",
    imports: ["krm", "model", "karpenter", "resolve", "render"],
    packages: [],
    node: [],
    reason: "a guard is a pure function of the policy, and knows no cluster",
  },
  {
    folder: "migrate",
    imports: ["krm", "model", "karpenter"],
    packages: [],
    node: [],
    reason: "migrating converts single objects",
  },
  {
    folder: "analyze",
    imports: ["krm", "model", "karpenter", "resolve", "render"],
    // For the schemas of answers: the program imports only their types.
    packages: ["zod"],
    node: [],
    reason: "analyses are pure functions",
  },
  {
    folder: "report",
    imports: ["krm", "model", "analyze"],
    packages: ["diff", "d3-hierarchy", "d3-scale", "d3-shape", "ink", "react"],
    node: [],
    reason: "a report only formats a result",
  },
  {
    folder: "cluster",
    imports: ["krm", "model", "karpenter", "resolve", "render", "guard", "analyze"],
    packages: ["@kubernetes/client-node", "js-yaml", "prom-client", "zod"],
    node: "all",
    reason: "only cluster uses the network",
  },
  {
    folder: "mcp",
    imports: ["krm", "model", "analyze", "report"],
    packages: ["@modelcontextprotocol/server", "zod"],
    node: "all",
    reason: "a server for agents runs commands in processes of their own",
  },
  {
    folder: "commands",
    // `cluster` and `mcp` by `import()` only, when a command needs it: scripts/build.ts refuses anything else.
    imports: [
      "krm",
      "model",
      "karpenter",
      "resolve",
      "render",
      "adopt",
      "guard",
      "migrate",
      "analyze",
      "report",
      "cluster",
      "mcp",
    ],
    packages: ["commander", "zod"],
    node: ["cli/context"],
    reason: "commands are thin; only cli/context.ts uses the process",
  },
  {
    folder: "library",
    imports: ["krm", "model", "karpenter", "resolve", "render", "analyze", "report", "commands"],
    packages: [],
    node: ["bundles-of-files", "check-arguments"],
    reason: "the library does what commands do, with texts instead of files",
  },
];

/** The files of a stage that are in none of its rooms. */
const TOP = ".";

/** The rooms of a stage: each may import those before it. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  krm: [
    "values",
    "yaml",
    "places",
    "findings",
    "parse",
    "read",
    "write",
    "git",
    "builds",
    "terraform",
    "resource-list",
    "edit",
  ],
  model: [
    "schema",
    "values",
    "crds",
    "requirements",
    "policy",
    "pools",
    "node-classes",
    "ec2",
    "objects",
    "inputs",
    "catalogue",
    "settings",
  ],
  karpenter: [
    "events",
    "requirements",
    "catalogue",
    "disruption",
    "conversion",
    "drift",
    "node-class",
    "provider",
    "scheduling",
    "solver",
    "consolidation",
  ],
  analyze: [
    "explain",
    "nodes",
    "disrupt",
    "running",
    "pods",
    "plan",
    "moves",
    "simulate",
    "diff",
    "rollout",
    "why",
    "list",
    "check",
    "pictures",
  ],
  report: [
    "terminal",
    "findings",
    "blocks",
    "explain",
    "plan",
    "why",
    "diff",
    "rollout",
    "simulate",
    "list",
    "dashboard",
    "html",
  ],
  cluster: [
    "waiting",
    "api",
    "objects",
    "inventory",
    "crds",
    "lease",
    "shards",
    "read",
    "guard",
    "discover",
    "plan",
    "apply",
    "limits",
    "status",
    "fleet",
    "serve",
    "run",
    "webhook",
  ],
  commands: [
    "cli",
    "input",
    "catalogue",
    "get",
    "diff",
    "rollout",
    "guard",
    "check",
    "simulate",
    "fn",
    "cmp",
    "watch",
    "webhook",
    "completion",
    TOP,
  ],
};

const FOLDERS = STAGES.map((stage) => stage.folder);
const PACKAGES = [
  "@kubernetes/client-node",
  "@modelcontextprotocol/server",
  "commander",
  "d3-hierarchy",
  "d3-scale",
  "d3-shape",
  "diff",
  "ignore",
  "ink",
  "js-yaml",
  "prom-client",
  "react",
  "yaml",
  "zod",
];

/** Globals that a pure folder must not use. */
const IMPURE = ["process", "console", "fetch", "setTimeout", "setInterval", "setImmediate", "performance"];

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc", "promise"],
  categories: { correctness: "error", suspicious: "error", perf: "warn" },
  env: { node: true, es2024: true },
  rules: {
    // Cycles of types count too.
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "no-console": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "unicorn/prefer-node-protocol": "error",
    "no-restricted-globals": ["error"],
    // Findings and objects are built by spreading existing ones.
    "oxc/no-map-spread": "off",
    "no-await-in-loop": "off",
    // zod keeps a schema's internals under this name.
    "no-underscore-dangle": ["error", { allow: ["_zod"] }],
    // Columns count code points.
    "typescript/no-misused-spread": "off",
    // TypeScript itself knows which switches are complete.
    "typescript/consistent-return": "off",
    // Lists of three are easier to read as lists.
    "unicorn/prefer-set-has": "off",
    "typescript/no-base-to-string": "off",
    "unicorn/consistent-function-scoping": "off",
    // Threads have no origin.
    "unicorn/require-post-message-target-origin": "off",
    "no-shadow": "off",
    "import/no-unassigned-import": "off",
    "import/no-named-as-default-member": "off",
    "typescript/no-unsafe-type-assertion": "off",
  },
  overrides: [...STAGES.flatMap(guard), { files: ["test/**", "scripts/**", "bin/**"], rules: { "no-console": "off" } }],
  ignorePatterns: ["dist", "node_modules"],
});

/** The lint rules of one stage and its rooms, from the tables; tests beside the code may import anything. */
function guard(stage: Stage): OxlintOverride[] {
  const { folder, node } = stage;
  const rooms = ROOMS[folder] ?? [TOP];
  const doors = node === "all" ? [] : node;
  const ofRoom = (room: string): OxlintOverride[] => {
    const files = [room === TOP ? `src/${folder}/*.ts` : `src/${folder}/${room}/**/*.ts`];
    const opened = doors.filter((file) => roomOf(file) === room).map((file) => `src/${folder}/${file}.ts`);
    return [
      { files, excludeFiles: ["**/*.test.ts"], rules: rulesOf(stage, room, node === "all") },
      ...(opened.length > 0 ? [{ files: opened, rules: rulesOf(stage, room, true) }] : []),
    ];
  };
  return rooms.flatMap(ofRoom);
}

/** @param file relative to its stage, without extension */
function roomOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : TOP;
}

function rulesOf(stage: Stage, room: string, open: boolean): Rules {
  const message = `Pure folder: ${stage.reason}.`;
  return {
    "no-restricted-imports": ["error", { patterns: forbidden(stage, room, open) }],
    "no-restricted-globals": open ? "off" : ["error", ...IMPURE.map((name) => ({ name, message }))],
    // Dates may be converted everywhere. test/suites/docs/clock.test.ts checks that none is made from the clock.
    "no-restricted-properties": open ? "off" : ["error", { object: "Date", property: "now", message }],
  };
}

type Pattern = { readonly message: string } & ({ readonly group: string[] } | { readonly regex: string });

function forbidden(stage: Stage, room: string, open: boolean): Pattern[] {
  const message = `Not in the import table: ${stage.reason}.`;
  const folders = FOLDERS.filter((other) => other !== stage.folder && !stage.imports.includes(other));
  const packages = PACKAGES.filter((name) => !stage.packages.includes(name));
  const rooms = ROOMS[stage.folder] ?? [TOP];
  return [
    ...(folders.length > 0 ? [{ regex: `^(?:\\.\\./)+(?:${folders.join("|")})/`, message }] : []),
    ...laterRooms(rooms, room).map((regex) => ({
      regex,
      message: `The rooms of ${stage.folder} have an order, and this room comes before that one: ${rooms.join(", ")}.`,
    })),
    { group: packages, message },
    ...(open ? [] : [{ group: ["node:*"], message }]),
  ];
}

/** Patterns of imports that lead from a room, at any depth in it, to later rooms. */
function laterRooms(rooms: readonly string[], room: string): string[] {
  const later = rooms.slice(rooms.indexOf(room) + 1);
  const folders = later.filter((other) => other !== TOP).join("|");
  const up = room === TOP ? "\\./" : "(?:\\.\\./)+";
  return [
    ...(folders === "" ? [] : [`^${up}(?:${folders})/`]),
    ...(later.includes(TOP) ? ["^\\.\\./[\\w-]+\\.ts$"] : []),
  ];
}
