/** What is wrong with a cluster, or between it and us: exit code 4, and one line on what to do. */
export class ClusterError extends Error {}
