/** The lint rules, and the import table of docs/architecture.md: which stage may know which. */
import { defineConfig, type OxlintOverride } from "oxlint";

type Rules = NonNullable<OxlintOverride["rules"]>;

interface Stage {
  readonly folder: string;
  /** Folders under src/ that it may import, beside itself. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** Files of the folder that may touch node:*; `"all"` opens the whole folder. */
  readonly node: readonly string[] | "all";
  readonly reason: string;
}

const STAGES: readonly Stage[] = [
  {
    folder: "krm",
    imports: [],
    packages: ["yaml", "zod", "ignore"],
    node: [
      "read",
      "read-file",
      "reach",
      "file-name",
      "write-directory",
      "write-files",
      "git-repository",
      "git/run",
      "git/tree",
    ],
    reason: "krm is the wire: bytes and located objects",
  },
  {
    folder: "model",
    imports: ["krm"],
    packages: ["zod"],
    node: [],
    reason: "model holds the nouns and knows no stage after it",
  },
  {
    folder: "karpenter",
    imports: ["krm", "model"],
    packages: [],
    node: [],
    reason: "karpenter is upstream semantics as values",
  },
  {
    folder: "resolve",
    imports: ["krm", "model", "karpenter"],
    packages: [],
    node: [],
    reason: "what a hosted cluster comes to is worked out once, before anybody asks",
  },
  {
    folder: "render",
    imports: ["krm", "model", "karpenter", "resolve"],
    packages: [],
    node: [],
    reason: "rendering is a pure function of the resolved cluster",
  },
  {
    folder: "analyze",
    imports: ["krm", "model", "karpenter", "resolve", "render"],
    packages: [],
    node: [],
    reason: "questions are pure",
  },
  {
    folder: "report",
    imports: ["krm", "model", "analyze"],
    packages: ["diff", "ink", "react"],
    node: [],
    reason: "a report is text made of a result",
  },
  {
    folder: "cluster",
    imports: ["krm", "model", "karpenter", "resolve", "render", "analyze"],
    packages: ["@kubernetes/client-node", "js-yaml", "prom-client"],
    node: "all",
    reason: "all network is in cluster",
  },
  {
    folder: "commands",
    // `cluster` by `import()` only, when one is asked for: scripts/build.ts refuses anything else.
    imports: ["krm", "model", "karpenter", "resolve", "render", "analyze", "report", "cluster"],
    packages: ["commander"],
    node: ["cli/context"],
    reason: "commands are thin; only cli/context.ts meets the process",
  },
  {
    folder: "library",
    imports: ["krm", "model", "karpenter", "resolve", "render", "analyze", "report", "commands"],
    packages: [],
    node: ["bundles-of-files", "check-arguments"],
    reason: "the library does what commands do, with texts in place of files",
  },
];

const FOLDERS = STAGES.map((stage) => stage.folder);
const PACKAGES = [
  "@kubernetes/client-node",
  "commander",
  "diff",
  "ignore",
  "ink",
  "js-yaml",
  "prom-client",
  "react",
  "yaml",
  "zod",
];

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc", "promise"],
  categories: { correctness: "error", suspicious: "error", perf: "warn" },
  env: { node: true, es2024: true },
  rules: {
    "import/no-cycle": "error",
    "no-console": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "unicorn/prefer-node-protocol": "error",
    "no-restricted-globals": ["error"],
    // Findings and objects are built by spreading what is there.
    "oxc/no-map-spread": "off",
    "no-await-in-loop": "off",
    // zod keeps what a schema is under this name.
    "no-underscore-dangle": ["error", { allow: ["_zod"] }],
    // Code points are what columns count.
    "typescript/no-misused-spread": "off",
    // TypeScript itself knows which switches are complete.
    "typescript/consistent-return": "off",
    // Lists of three are read better as lists.
    "unicorn/prefer-set-has": "off",
    "typescript/no-base-to-string": "off",
    "unicorn/consistent-function-scoping": "off",
    "no-shadow": "off",
    "import/no-unassigned-import": "off",
    "import/no-named-as-default-member": "off",
    "typescript/no-unsafe-type-assertion": "off",
  },
  overrides: [...STAGES.flatMap(guard), { files: ["test/**", "scripts/**", "bin/**"], rules: { "no-console": "off" } }],
  ignorePatterns: ["dist", "node_modules"],
});

/** What the table says of one stage, as lint rules; tests beside the code may import what they need. */
function guard(stage: Stage): OxlintOverride[] {
  const { folder, node, reason } = stage;
  const pureGlobals = [
    "process",
    "console",
    "fetch",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "Date",
    "performance",
  ];
  const doors = node === "all" ? [`src/${folder}/**/*.ts`] : node.map((file) => `src/${folder}/${file}.ts`);
  const rules = (open: boolean): Rules => ({
    "no-restricted-imports": ["error", { patterns: forbidden(stage, open) }],
    "no-restricted-globals": open
      ? "off"
      : ["error", ...pureGlobals.map((name) => ({ name, message: `Pure folder: ${reason}.` }))],
  });
  return [
    { files: [`src/${folder}/**/*.ts`], excludeFiles: ["**/*.test.ts"], rules: rules(false) },
    ...(doors.length > 0 ? [{ files: doors, rules: rules(true) }] : []),
  ];
}

function forbidden(stage: Stage, open: boolean): { group: string[]; message: string }[] {
  const message = `Not in the import table: ${stage.reason}.`;
  const folders = FOLDERS.filter((other) => other !== stage.folder && !stage.imports.includes(other));
  const packages = PACKAGES.filter((name) => !stage.packages.includes(name));
  return [
    {
      group: [...folders.flatMap((other) => [`../${other}/*`, `../${other}/**`, `../../${other}/**`]), ...packages],
      message,
    },
    ...(open ? [] : [{ group: ["node:*"], message }]),
  ];
}
