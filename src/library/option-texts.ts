/** Options of the library that are texts of files, and messages with its names of options. */
import { UsageError } from "../commands/cli/exit-codes.ts";
import { parseSources } from "../krm/parse/parse.ts";
import type { Resource } from "../krm/places/resource.ts";

/**
 * The objects of a dump. Empty for an empty list, which is valid.
 *
 * @param missing what it says of a dump without any wanted object
 * @throws TypeError
 */
export function objectsOf(
  option: string,
  text: string,
  isWanted: (object: Resource) => boolean,
  missing: string,
): readonly Resource[] {
  const source = { file: option, folder: "", text, explicit: true, trusted: false, config: false };
  const { value, findings } = parseSources([source]);
  const [problem] = findings;
  if (problem !== undefined) throw new TypeError(`the option ${option}: ${problem.message}`);
  if (value.length > 0 && !value.some(isWanted)) throw new TypeError(`the option ${option} contains ${missing}`);
  return value;
}

const NAMES = { "--hosted-cluster": "hostedCluster", "--node-data": "nodeData", "--catalogue": "catalogue" };

/** @throws Error instead of a UsageError, with the names of options instead of flags */
export function withOptionNames<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = Object.entries(NAMES).reduce((text, [flag, name]) => text.replaceAll(flag, name), error.message);
    throw new Error(message, { cause: error });
  }
}
