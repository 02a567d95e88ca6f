/** Forms that options and arguments of several commands have. */
import { InvalidArgumentError, Option } from "commander";
import { HOSTED_CLUSTER_NAME } from "../../model/hosted-clusters.ts";

/** What `PATH` may be where a command takes manifests. */
export const INPUT = "files, directories, or - for the standard input";

/** One of several values. */
export function choice(flags: string, description: string, choices: readonly string[], fallback?: string): Option {
  return new Option(flags, description).choices(choices).default(fallback);
}

/** For an option that may be given several times. */
export function collect(text: string, previous: readonly string[]): string[] {
  return [...previous, text];
}

/** For an option that says which rules count: given again, it would drop without a word what was said first. */
export function onlyOnce(refusal = "It is given twice, and one alone can count.") {
  return (text: string, previous: string | undefined): string => {
    if (previous === undefined) return text;
    throw new InvalidArgumentError(refusal);
  };
}

export const onlyPolicyDir = onlyOnce(
  "It is given twice: one path can be many folders, as 'clusters/*/policy', in quotes.",
);

export function parseHostedCluster(text: string): string {
  if (HOSTED_CLUSTER_NAME.test(text)) return text;
  throw new InvalidArgumentError("It must be a namespace, such as clusters-my-cluster.");
}
