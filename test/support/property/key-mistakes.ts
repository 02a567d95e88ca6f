/** Generates typos of every key of a policy. */
import { POLICY_FILE, type Mistake } from "./mistakes.ts";

const TYPOS: readonly (readonly [string, (key: string) => string])[] = [
  ["with two letters swapped", (key) => `${key[0]}${key[2]}${key[1]}${key.slice(3)}`],
  ["without its last letter", (key) => key.slice(0, -1)],
  ["with a letter twice", (key) => `${key}${key.at(-1)}`],
  ["with a capital", (key) => `${key[0]!.toUpperCase()}${key.slice(1)}`],
  ["in capitals", (key) => key.toUpperCase()],
  ["in small letters", (key) => key.toLowerCase()],
  ["with a hyphen", (key) => `${key.slice(0, 3)}-${key.slice(3)}`],
  ["with a space in quotes", (key) => `"${key} "`],
];

/** The finding for a missing key; mostly that the policy is invalid. */
const SAID: Readonly<Record<string, readonly [exit: Mistake["exit"], says: string]>> = {
  apiVersion: [1, "unknown-kind"],
  kind: [1, "unknown-kind"],
};

export function keyMistakes(policy: string): Mistake[] {
  return policy.split("\n").flatMap((line, at) => {
    const [, before, key] = /^((?: |- )*)(\w+):/.exec(line) ?? [];
    if (before === undefined || key === undefined) return [];
    const [exit, says] = SAID[`${before}${key}`] ?? [1, "policy-invalid"];
    return TYPOS.filter(([, misspell]) => misspell(key) !== key).map(([how, misspell]) => ({
      what: `line ${at + 1}: ${key} ${how}`,
      exit,
      says,
      apply: (files) => {
        const lines = String(files.get(POLICY_FILE)).split("\n");
        lines[at] = line.replace(key, misspell(key));
        files.set(POLICY_FILE, lines.join("\n"));
      },
    }));
  });
}
