/**
 * Parses anp's YAML with the parsers of kubectl and kustomize: no string becomes a number, boolean, date or other
 * string.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDocument } from "../../../src/krm/edit/edit-document.ts";
import { flowText } from "../../../src/krm/yaml/yaml-scalar.ts";
import { formatObjects, toYaml } from "../../../src/krm/yaml/write.ts";
import { seedOf } from "../../support/property/seed.ts";
import { askOracle } from "../../support/oracle/ask.ts";

const WORDS = [
  ..."y Y yes YES n No on ON off Off true TRUE False null Null NULL nan inf Infinity".split(" "),
  ..."~ << = ! !!int &a *a - ? : # --- ... %a @a `a | > ' \" a,b [a a] {a a} + . .. +. 👍 👍,".split(" "),
  ..."0x 0b 0o 1e e1 1_ _1 1.2.3 10.0.0.0/16 ::a ##[a ##vso[a".split(" "),
  "",
  "? a",
  ": a",
  "- a",
  "a: b",
  "a #b",
  "--- a",
  "a\tb",
  "\ta",
  "a ",
  " a",
  "a\nb",
  "a\n\nb\n",
  "\na",
  "a\n::b",
  "a,\u2028b",
  "\u0085",
  "\ufeffa",
  "\ufeff,",
  "\u007f",
  "a\u00a0b",
  "\u2029\n",
  "\u202ea",
  "\u200b,",
];

/** Strings that some YAML parser treats as another type. */
const word = fc.oneof(
  fc.stringMatching(/^[-+]?0[xXbBoO]?[-+]?[0-9a-fA-F_]{0,4}$/),
  fc.stringMatching(/^[-+.]{0,2}[0-9_]{0,3}[.]?[0-9_]{0,3}([eEpP][-+]?[0-9_]{0,2})?$/),
  fc.stringMatching(/^[-+]?\.(inf|Inf|INF|nan|NaN|NAN|iNF|infinity)$/),
  fc.stringMatching(/^[0-9]{1,4}(:[0-9]{1,2}){1,2}(\.[0-9]{0,2})?$/),
  fc.stringMatching(/^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(Z|\.[0-9]|[-+][0-9]{2}:00)?)?$/),
  fc.constantFrom(...WORDS),
  fc.string({ unit: "binary", maxLength: 6 }).filter((text) => text.isWellFormed()),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    word,
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("map"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  map: fc.dictionary(word, tie("value"), { maxKeys: 3, noNullPrototype: true }),
}));

const object = fc.dictionary(word, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

interface Written {
  readonly text: string;
  readonly meant: unknown;
}

/** Each way in which anp writes YAML. */
const WRITERS: Readonly<Record<string, (meant: object, before: object) => Written>> = {
  "whole objects": (meant) => ({ text: toYaml(meant), meant }),
  "a ResourceList": (meant) => ({
    text: formatObjects([meant], "resourcelist"),
    meant: { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items: [meant] },
  }),
  "values on one line": (meant) => ({ text: `a: ${flowText(meant)}\n`, meant: { a: meant } }),
  "an edited document": (meant, before) => ({ text: editDocument(toYaml(before), meant).text, meant }),
  "an edited document with brackets": (meant, before) => ({
    text: editDocument(`a: ${flowText(before)}\n`, { a: meant }).text,
    meant: { a: meant },
  }),
  "an edited value in quotes": (meant) => {
    const values = Object.values(meant).filter((one) => typeof one === "string");
    const given = values.map((_, index) => `a${index}: ${index % 2 === 0 ? "'old'" : '"old"'}\n`).join("");
    const wanted = Object.fromEntries(values.map((one, index) => [`a${index}`, one]));
    return { text: editDocument(given === "" ? "{}\n" : given, wanted).text, meant: wanted };
  },
};

describe("the YAML parsers of kubectl and kustomize", () => {
  it.each(Object.entries(WRITERS))("read back %s", async (name, write) => {
    const seed = seedOf(name, 20_261_122);
    const objects = fc.sample(fc.tuple(object, object), { numRuns: 3000, seed });
    const written = objects.map(([meant, before]) => write(meant, before));
    const replies = await askOracle(written.map(({ text }) => ({ op: "yaml", text })));
    const wrong = written.flatMap(({ text, meant }, index) => {
      const wanted = canonical(meant);
      const { kubectl, kustomize } = replies[index]!.answer as { kubectl: unknown; kustomize: unknown };
      if (canonical(kubectl) === wanted && canonical(kustomize) === wanted) return [];
      return [{ text, meant, kubectl, kustomize }];
    });
    expect(wrong.length === 0 ? [] : wrong.toSorted((a, b) => a.text.length - b.text.length).slice(0, 5)).toStrictEqual(
      [],
    );
  });
});

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
