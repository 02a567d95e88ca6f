/** Forms of options and arguments that several commands share. */
import { InvalidArgumentError, Option } from "commander";
import { kebab, offered, type Setting, type SettingOf, withDefault } from "../../model/settings/settings.ts";

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

/** The options of an interface by the names of their settings, in the order of the settings. */
export function settingOptions<I extends "option" | "watch" | "fn" | "cmp">(offer: I): Record<SettingOf<I>, Option> {
  const options = Object.entries<Setting>(offered(offer)).map(([name, setting]) => {
    const { placeholder, choices, accepts, once, [offer]: sentence = "" } = setting;
    const flags = `--${kebab(name)}${placeholder === undefined ? "" : ` <${placeholder}>`}`;
    const option = new Option(flags, withDefault(sentence, setting));
    if (choices !== undefined) option.choices(choices);
    if (once !== undefined) option.argParser(onlyOnce(once));
    if (accepts !== undefined) option.argParser((text) => accepted(text, accepts, placeholder));
    return [name, option];
  });
  return Object.fromEntries(options) as Record<SettingOf<I>, Option>;
}

function accepted(
  text: string,
  [test, refusal]: NonNullable<Setting["accepts"]>,
  placeholder: string | undefined,
): string | number {
  if (!test(text)) throw new InvalidArgumentError(refusal);
  return placeholder === "number" ? Number(text) : text;
}
