/** What is wrong with a cluster, or between it and us: exit code 4, with one line that says what to do. */
export class ClusterError extends Error {}
