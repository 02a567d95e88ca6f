/** Rules on each entry of a map, as CEL and as predicates that give the entry's place. */
import type { Rule } from "./rule.ts";

export type StringMap = Readonly<Record<string, string>>;

interface EntryRule {
  /** CEL over `k` and `self[k]`. */
  readonly cel: string;
  readonly message: string;
  readonly hint?: string;
  readonly test: (key: string, value: string) => boolean;
}

/** Every entry must pass; the finding points at the first that does not. */
export function everyEntry({ cel, message, hint, test }: EntryRule): Rule<StringMap> {
  const wrong = (map: StringMap): string | undefined =>
    Object.entries(map).find(([key, value]) => !test(key, value))?.[0];
  return {
    cel: `self.all(k, ${cel})`,
    message,
    ...(hint === undefined ? {} : { hint }),
    test: (map) => wrong(map) === undefined,
    at: (map) => [wrong(map) ?? ""],
  };
}

/** Every key is one of `keys`. */
export function keysAmong(keys: readonly string[], what: string): Rule<StringMap> {
  return everyEntry({
    cel: `k in [${keys.map((key) => `'${key}'`).join(", ")}]`,
    message: `no ${what} that can be set here`,
    hint: `write one of ${keys.join(", ")}`,
    test: (key) => keys.includes(key),
  });
}
