/** Forms of options and arguments that several commands share. */
import { InvalidArgumentError, Option } from "commander";
import { HOSTED_CLUSTER_NAME } from "../../model/hosted-clusters.ts";

export const INPUT = "files, directories, or - for the standard input";

/** One of several values. */
export function choice(flags: string, description: string, choices: readonly string[], fallback?: string): Option {
  return new Option(flags, description).choices(choices).default(fallback);
}

/** For an option that may be given several times. */
export function collect(text: string, previous: readonly string[]): string[] {
  return [...previous, text];
}

/** For an option that must not be repeated, because the second value would silently replace the first. */
export function onlyOnce(refusal = "It is given twice, and only one can apply.") {
  return (text: string, previous: string | undefined): string => {
    if (previous === undefined) return text;
    throw new InvalidArgumentError(refusal);
  };
}

export const onlyPolicyDir = onlyOnce(
  "It is given twice. One quoted path can match many folders, such as 'clusters/*/policy'.",
);

export function parseHostedCluster(text: string): string {
  if (HOSTED_CLUSTER_NAME.test(text)) return text;
  throw new InvalidArgumentError("It must be a namespace, such as clusters-my-cluster.");
}
