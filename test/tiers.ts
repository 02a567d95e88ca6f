/** Which suites are of which tier: the files of `npm test`, which needs only Node, and those with programs that are not ours. */

/** Beside the code, and these: values, and commands within the same process. Nothing of one file is left for the next. */
const FOLDERS_OF_VALUES = [
  "adopt",
  "cluster",
  "commands",
  "dashboard",
  "diff",
  "docs",
  "golden",
  "hostile",
  "migrate",
  "node-limits",
  "pictures",
  "property",
  "schemas",
];

/**
 * Suites that start our own program, git or shells, many times, and those with connections that outlast a test: a process
 * of its own for each file, since starting another takes twenty times as long from one that has grown to a gigabyte.
 */
const FOLDERS_OF_PROGRAMS = ["ci", "completion", "git", "mcp", "package", "process"];
const FILES_OF_PROGRAMS = [
  "src/krm/git/**/*.test.ts",
  "test/suites/cluster/allowed-servers.test.ts",
  "test/suites/cluster/http.test.ts",
  "test/suites/cluster/starred-policy-dir.test.ts",
  "test/suites/docs/examples.test.ts",
];

/** Suites with a Go program, a terminal of tmux, kpt, a browser or an executable. */
const FOLDERS_OF_SERVERS = [
  "argocd",
  "binary",
  "browser",
  "controlplane",
  "deploy",
  "e2e",
  "go",
  "guard",
  "helm",
  "karpenter",
  "kpt",
  "kustomize",
  "oracle",
  "oracle-v1beta1",
  "release",
  "watch",
  "webhook",
];

/** Where the rest of the folder needs none. */
const FILES_OF_SERVERS = ["test/suites/dashboard/terminal.test.ts", "test/suites/node-limits/passes.test.ts"];

/** What needs only Node and waits, or counts, for longer than `npm test` has: it runs beside the servers. */
const LONG_FILES = [
  "src/analyze/explain/conflict.test.ts",
  "src/analyze/plan/place-pods.property.test.ts",
  "src/karpenter/disruption/drifted-floor.test.ts",
  "src/krm/git/sources.test.ts",
  "src/krm/parse/many-findings.test.ts",
  "src/krm/yaml/yaml-scalar.test.ts",
  "test/suites/adopt/raw-pools.test.ts",
  "test/suites/adopt/replaced-values.test.ts",
  "test/suites/adopt/round-trip.test.ts",
  "test/suites/ci/fleet.test.ts",
  "test/suites/ci/github.test.ts",
  "test/suites/ci/gitlab.test.ts",
  "test/suites/ci/pre-commit.test.ts",
  "test/suites/cluster/bounded-reading.test.ts",
  "test/suites/cluster/false-guest.test.ts",
  "test/suites/cluster/hanging-at-start.test.ts",
  "test/suites/cluster/idle-connections.test.ts",
  "test/suites/cluster/list-and-watch.test.ts",
  "test/suites/cluster/many-wrappers.test.ts",
  "test/suites/cluster/read-directory.test.ts",
  "test/suites/cluster/refused-object.test.ts",
  "test/suites/commands/raw-pools.test.ts",
  "test/suites/completion/shells.test.ts",
  "test/suites/diff/properties.test.ts",
  "test/suites/docs/recipes.test.ts",
  "test/suites/git/diff-policies.test.ts",
  "test/suites/git/diff.test.ts",
  "test/suites/git/fleet.test.ts",
  "test/suites/git/hostile-links.test.ts",
  "test/suites/git/hostile-repositories.test.ts",
  "test/suites/hostile/growth.test.ts",
  "test/suites/hostile/outputs.test.ts",
  "test/suites/hostile/patterns.test.ts",
  "test/suites/migrate/in-place.test.ts",
  "test/suites/migrate/whole.test.ts",
  "test/suites/package/install.test.ts",
  "test/suites/process/chunks.test.ts",
  "test/suites/process/hostile-links.test.ts",
  "test/suites/process/start.test.ts",
  "test/suites/process/streams.test.ts",
  "test/suites/property/assign-shards.test.ts",
  "test/suites/property/bounds.test.ts",
  "test/suites/property/convergence.test.ts",
  "test/suites/property/json-style.test.ts",
  "test/suites/property/locate.test.ts",
  "test/suites/property/never-silently-permissive.test.ts",
  "test/suites/property/offers-compared.test.ts",
  "test/suites/property/placeholders.test.ts",
  "test/suites/property/plain-style.test.ts",
  "test/suites/property/policies-compared.test.ts",
  "test/suites/property/provenance.test.ts",
  "test/suites/property/raw-pools.test.ts",
  "test/suites/property/raw.test.ts",
  "test/suites/property/render.test.ts",
  "test/suites/property/robustness.test.ts",
  "test/suites/property/simulate.test.ts",
  "test/suites/property/verdicts.test.ts",
];

/** The soak tests that a change has to pass, with a part of their cases. */
const FILES_OF_SHORT_SOAK = [
  "algebra",
  "any-metadata",
  "conversion",
  "fleet-faults",
  "fleet-load",
  "fn-many",
  "long-inputs",
  "node-labels",
  "permissions",
  "plan",
  "policies-compared",
  "render",
  "watch-faults",
];

const suitesIn = (folders: readonly string[]): string[] =>
  folders.map((folder) => `test/suites/${folder}/**/*.test.ts`);

export const VALUES = {
  include: ["src/**/*.test.ts", ...suitesIn(FOLDERS_OF_VALUES)],
  exclude: [...FILES_OF_SERVERS, ...FILES_OF_PROGRAMS, ...LONG_FILES],
};
export const PROGRAMS = {
  include: [...suitesIn(FOLDERS_OF_PROGRAMS), ...FILES_OF_PROGRAMS],
  exclude: LONG_FILES,
};
export const SERVERS = [...suitesIn(FOLDERS_OF_SERVERS), ...FILES_OF_SERVERS, ...LONG_FILES];
export const SOAK = suitesIn(["soak"]);
/** Suites that run with an older cluster as well. */
export const OLDER_CLUSTER = suitesIn(["guard", "karpenter"]);
export const SHORT_SOAK = FILES_OF_SHORT_SOAK.map((name) => `test/suites/soak/${name}.test.ts`);
