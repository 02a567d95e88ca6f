/** The environment of the test run without what would decide what anp or a tool beside it does, such as colours and terminals. */

/** What CI services, terminals, clusters and hooks of git set; a test that means one of them sets it. */
const DECIDES = `
  CI CONTINUOUS_INTEGRATION GITHUB_ACTIONS GITLAB_CI
  NO_COLOR FORCE_COLOR COLUMNS LINES TMUX NODE_OPTIONS
  KUBECONFIG KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT
  GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX
`;

for (const name of DECIDES.trim().split(/\s+/)) Reflect.deleteProperty(process.env, name);
