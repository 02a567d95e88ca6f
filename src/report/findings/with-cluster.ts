/** The message of a finding, with its hosted cluster if there are several. */
import type { Finding } from "../../krm/finding.ts";

export function withCluster({ hostedCluster, message }: Finding): string {
  return hostedCluster === undefined ? message : `${hostedCluster}: ${message}`;
}
