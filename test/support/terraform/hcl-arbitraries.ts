/** Random bodies of Terraform files, and the values that their names have. */
import fc from "fast-check";

/** As JSON, for both sides. */
export const NAMES = {
  pool: { name: "web", families: ["c7i", "m7i"], weight: 10, isOn: true, labels: { team: "a", "x/y": "b" } },
  empty: [],
  text: "two\nlines\n",
  none: null,
} as const;

const SPACES = ["", "", " ", "  ", "\t"];
const WORDS = ["a", "b-c", "Zürich", "x y", "-", "$", "%", "$$", "{", "}", "~", "#", "//", "\\\\", "<<", "é", " ", "1"];

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie("expression");
  const space = fc.constantFrom(...SPACES);
  const escape = fc.constantFrom("\\n", '\\"', "\\t", "\\u00e9", "$${", "%%{", "\\\\");
  const trim = fc.constantFrom("", "", "~");
  const value = fc.tuple(trim, inner, trim).map(([a, b, c]) => `\${${a} ${b} ${c}}`);
  const choice = fc
    .tuple(trim, inner, trim, fc.constantFrom(...WORDS), trim)
    .map(([a, b, c, d, e]) => `%{${a} if ${b} ${c}}${d}%{${e} else ${a}} x %{${c} endif ${e}}`);
  const loop = fc
    .tuple(trim, inner, trim)
    .map(([a, b, c]) => `%{${a} for k, v in ${b} ${c}} \${v} \n%{${c} endfor ${a}}`);
  const word = fc.constantFrom(...WORDS);
  const quoted = fc
    .array(fc.oneof({ weight: 3, arbitrary: word }, escape, value, choice), { maxLength: 5 })
    .map((parts) => `"${parts.join("").replaceAll(/\n/g, "")}"`);
  const line = fc
    .tuple(fc.constantFrom("", "  ", "    ", "\t"), fc.array(fc.oneof(word, word, value, choice), { maxLength: 3 }))
    .map(([indent, parts]) => `${indent}${parts.join("")}\n`);
  const heredoc = fc
    .tuple(fc.boolean(), fc.array(fc.oneof({ weight: 4, arbitrary: line }, loop), { maxLength: 5 }))
    .map(([flush, lines]) => `<<${flush ? "-" : ""}EOT\n${lines.join("").replace(/([^\n])$/, "$1\n")}  EOT\n`);
  return {
    expression: fc.oneof(
      { depthSize: "small", maxDepth: 4 },
      fc.constantFrom("1", "12", "1.5", "true", "false", "null", '"a"', '""', "[]", "{}"),
      fc.constantFrom("pool", "pool.name", "pool.weight", "pool.families[0]", "pool.families", 'pool.labels["x/y"]'),
      fc.constantFrom("empty", "text", "none", "pool.labels", "pool.absent", "absent", "pool.families[*]", "pool.isOn"),
      quoted,
      heredoc.map((text) => `(${text})`),
      fc.tuple(space, inner).map(([a, b]) => `(${a}${b}${a})`),
      fc.tuple(fc.array(inner, { maxLength: 3 }), space).map(([a, b]) => `[${b}${a.join(`,${b}`)}${b}]`),
      fc
        .array(fc.tuple(fc.constantFrom("a", '"b c"', "(pool.name)", "d-e", '"x-${pool.name}"'), inner), {
          maxLength: 3,
        })
        .map(
          (entries) => `{\n${entries.map(([key, one], index) => `${key} ${index % 2 ? ":" : "="} ${one}\n`).join("")}}`,
        ),
      fc
        .tuple(inner, fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "&&", "||"), inner)
        .map(([a, b, c]) => `${a} ${b} ${c}`),
      fc.tuple(fc.constantFrom("!", "-"), inner).map(([a, b]) => `${a}${b}`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
      fc
        .tuple(inner, inner, fc.boolean())
        .map(([a, b, hasIf]) => `[for v in ${a} : ${b}${hasIf ? " if v != null" : ""}]`),
      fc.tuple(inner, inner).map(([a, b]) => `{for k, v in ${a} : "\${k}" => ${b}}`),
      fc
        .tuple(fc.constantFrom("merge", "concat"), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([name, args]) => `${name}(${args.join(", ")})`),
      fc
        .tuple(fc.constantFrom("lower", "upper", "length", "trimspace", "chomp", "flatten", "jsonencode"), inner)
        .map(([name, one]) => `${name}(${one})`),
      inner.map((one) => `join("-", ${one})`),
      inner.map((one) => `indent(2, ${one})`),
    ),
  };
});

/** A body with attributes, blocks and comments. */
export const hclBody: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: expression.map((one) => `NAME = ${one}\n`) },
      fc.constantFrom(
        "# x\n",
        "// y\n",
        "/* a\n b */\n",
        "\n",
        "block {}\n",
        'block "a" b {\n  c = 1\n}\n',
        "b { c = 2 }\n",
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((items) => items.map((item, index) => item.replace("NAME", `name${index}`)).join(""));

/** A template of a file. */
export const hclTemplate: fc.Arbitrary<string> = expression.chain((one) =>
  fc
    .array(
      fc.constantFrom(
        ...WORDS,
        "\n",
        "  ",
        `\${${one}}`,
        `%{ if pool.isOn ~}\n a\n%{ endif ~}\n`,
        `%{ for v in ${one} }\${v},%{ endfor }`,
      ),
    )
    .map((parts) => parts.join("")),
);

/** Another text that has one character more or less, or another one. */
export function broken(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const mark = fc.constantFrom(...'{}[]()"$%~=,.:?<>-\\ \n#/*1a'.split(""), "");
  return fc.tuple(texts, fc.nat(), fc.nat({ max: 1 }), mark).map(([text, at, gone, added]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + added + text.slice(from + gone);
  });
}
