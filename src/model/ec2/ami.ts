/** The images of an EC2NodeClass: `amiFamily`, `amiSelectorTerms` and the rules between them. */
import * as z from "zod/mini";
import { selectorTags } from "../node-classes/node-class-tags.ts";
import { type Rule, withRules } from "../schema/rule.ts";
import { eachTermHasOneOf, noTermMixes, type Term } from "../node-classes/term-rules.ts";

/** The families that Karpenter knows, by the alias of their images. */
const FAMILIES: Readonly<Record<string, string>> = {
  al2: "AL2",
  al2023: "AL2023",
  bottlerocket: "Bottlerocket",
  windows2019: "Windows2019",
  windows2022: "Windows2022",
  windows2025: "Windows2025",
};

/** `AL2023` of `al2023`; the text itself if there is no such family. */
export function nameOfFamily(alias: string): string {
  return Object.hasOwn(FAMILIES, alias) ? FAMILIES[alias]! : alias;
}

const ALIASES = Object.keys(FAMILIES);
const WINDOWS = ALIASES.filter((alias) => alias.startsWith("windows"));

export const amiFamily = z.enum([
  "AL2",
  "AL2023",
  "Bottlerocket",
  "Custom",
  "Windows2019",
  "Windows2022",
  "Windows2025",
]);

const alias = z.lazy(() =>
  withRules(z.string().check(z.maxLength(30)), [
    {
      cel: "self.matches(r'^[a-zA-Z0-9]+@.+$')",
      message: "no alias of the form family@version",
      hint: "write al2023@v20240807, or al2023@latest",
      // `.` of the API server's expressions matches everything but a line break.
      test: (text) => /^[a-zA-Z0-9]+@[^\n]+$/.test(text),
    },
    {
      cel: `self.split('@')[0] in ${list(ALIASES)}`,
      message: `Karpenter has no such image family: ${ALIASES.join(", ")}`,
      test: (text) => ALIASES.includes(familyIn(text)),
    },
    {
      cel: `!(self.split('@')[0] in ${list(WINDOWS)}) || self.split('@')[1] == 'latest'`,
      message: "Windows images cannot be pinned",
      hint: "write the version latest",
      test: (text) => !WINDOWS.includes(familyIn(text)) || text.split("@")[1] === "latest",
    },
  ]),
);

const terms = z
  .array(
    z.strictObject({
      alias: z.optional(alias),
      // Not anchored, as upstream.
      id: z.optional(
        z.string().check(z.regex(/ami-[0-9a-z]+/, { error: "is not an image id, such as ami-0a1b2c3d4e5f" })),
      ),
      name: z.optional(z.string()),
      owner: z.optional(z.string()),
      ssmParameter: z.optional(z.string()),
      tags: z.optional(z.lazy(() => selectorTags(0))),
    }),
  )
  .check(z.minLength(1, { abort: true }), z.maxLength(30, { abort: true }));

const aliasIndex = (all: readonly Term[]): number => all.findIndex((term) => term["alias"] !== undefined);

export const amiSelectorTerms = () =>
  withRules(terms, [
    eachTermHasOneOf(["tags", "id", "name", "alias", "ssmParameter"]),
    noTermMixes("id", ["alias", "tags", "name", "owner"]),
    noTermMixes("alias", ["id", "tags", "name", "owner"], "remove the others: an alias selects the images alone"),
    {
      cel: "!(self.exists(x, has(x.alias)) && self.size() != 1)",
      message: "an alias must be the only term",
      hint: "remove the other terms, or select the images without alias",
      test: (all) => all.length === 1 || aliasIndex(all) === -1,
      at: (all) => [aliasIndex(all)],
    },
  ]);

const BARRED = ["alias", "tags", "name", "owner"] as const;

/** HyperShift's edit: an image is selected by id (upstream's ssmParameter and an empty term pass). */
export const hypershiftAmiSelectorTerms = withRules(terms, [
  {
    cel: `!self.exists(x, ${BARRED.map((field) => `has(x.${field})`).join(" || ")})`,
    message: "HyperShift selects images by id only",
    hint: `remove ${BARRED.join(", ")}`,
    test: (all) => all.every((term) => BARRED.every((field) => term[field] === undefined)),
    at: (all) => [all.findIndex((term) => BARRED.some((field) => term[field] !== undefined))],
  },
]);

/** The fields that the rules read. */
export interface Images {
  readonly amiFamily?: string | undefined;
  readonly amiSelectorTerms: readonly { readonly alias?: string | undefined }[];
}

const HAS_ALIAS = "self.amiSelectorTerms.exists(x, has(x.alias))";

export const AMI_RULES: readonly Rule<Images>[] = [
  ...Object.entries(FAMILIES).map(([name, family]): Rule<Images> => ({
    cel: `!has(self.amiFamily) || self.amiFamily in ['Custom', '${family}'] || !self.amiSelectorTerms.exists(x, has(x.alias) && x.alias.find('^[^@]+') == '${name}')`,
    message: `an alias of ${name} goes with amiFamily ${family} or Custom`,
    hint: "leave amiFamily out: the alias implies it",
    test: ({ amiFamily: given, amiSelectorTerms: all }) =>
      given === undefined ||
      given === "Custom" ||
      given === family ||
      !all.some((term) => (/^[^@]+/.exec(term.alias ?? "")?.[0] ?? "") === name),
    at: ["amiFamily"],
  })),
  {
    cel: `${HAS_ALIAS} || has(self.amiFamily)`,
    message: "amiFamily is missing, and no alias says it",
    hint: "add amiFamily: it decides the form of the user data",
    test: ({ amiFamily: given, amiSelectorTerms: all }) =>
      given !== undefined || all.some((term) => term.alias !== undefined),
    at: ["amiFamily"],
  },
];

function familyIn(text: string): string {
  return text.split("@")[0] ?? "";
}

function list(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(", ")}]`;
}
