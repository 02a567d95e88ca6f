/** CEL expressions of kubelet settings: what they give for instance types, by the compiled AWS provider. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  kubeletExpression,
  type KubeletVariables,
  NoValue,
} from "../../../src/karpenter/node-class/kubelet-expression.ts";
import { askProgram } from "../../support/go/ask-program.ts";
import { seedOf } from "../../support/property/seed.ts";

const INTEGERS = ["0", "1", "2", "-1", "7", "100", "0x1F", "9223372036854775807", "-9223372036854775808"];
const BEYOND = ["9223372036854775808", "1e400", "1e19", "1e308", "5e-324", "1u", ".5", "0.0", "1.5", "-2.75", "3e2"];
const TEXTS = ['"m5.large"', "'m5'", '""', '"a\\n"', 'r"m5"', '"é"', "'''m'''"];
const NAMES = ["vcpus", "memory_mib", "default_enis", "ips_per_eni", "max_pods", "instance_type"];
const OTHERS = ["true", "false", "null", "cpus", "self", "int", "[1, 2]", "{}", "b'a'"];
const atom = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES.slice(0, 5)) },
  { weight: 5, arbitrary: fc.constantFrom(...INTEGERS) },
  { weight: 3, arbitrary: fc.constantFrom(...BEYOND) },
  { weight: 2, arbitrary: fc.constantFrom("instance_type", ...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
);

/** Mostly of the right types, so that evaluating decides; now and then of others. */
const { whole, double, truth, any } = fc.letrec<Record<"whole" | "double" | "truth" | "text" | "any", string>>(
  (tie) => {
    const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(" "));
    const one = (...texts: string[]) => fc.constantFrom(...texts);
    const between = (operand: fc.Arbitrary<string>, ...operators: string[]) =>
      joined(operand, one(...operators), operand);
    const called = (name: string, ...operands: readonly fc.Arbitrary<string>[]) =>
      fc.tuple(...operands).map((all) => `${name}(${all.join(", ")})`);
    const chosen = (of: fc.Arbitrary<string>) => joined(tie("truth"), one("?"), of, one(":"), of);
    const bracketed = (of: fc.Arbitrary<string>) => of.map((text) => `(${text})`);
    const grown = (simple: fc.Arbitrary<string>, ...others: fc.Arbitrary<string>[]) =>
      fc.oneof({ maxDepth: 5, depthIdentifier: "nested", withCrossShrink: true }, simple, ...others);
    return {
      whole: grown(
        one(...NAMES.slice(0, 5), ...INTEGERS),
        between(tie("whole"), "+", "-", "*", "/", "%"),
        bracketed(tie("whole")),
        called("max", tie("whole"), tie("whole")),
        called("min", tie("whole"), tie("whole")),
        chosen(tie("whole")),
        called("int", tie("double")),
        joined(one("-", "--", "- -"), tie("whole")),
        one("size(instance_type)", "instance_type.size()"),
        tie("any"),
      ),
      double: grown(
        one("0.0", "1.5", "-2.75", ".5", "1e19", "1e308", "9223372036854775807.0", "double(vcpus)"),
        between(tie("double"), "+", "-", "*", "/"),
        bracketed(tie("double")),
        called("double", tie("whole")),
        called("max", tie("whole"), tie("double")),
        called("min", tie("double"), tie("double")),
        chosen(tie("double")),
        joined(one("-", "---"), tie("double")),
      ),
      truth: grown(
        one("true", "false", 'instance_type == "m5.large"'),
        between(tie("whole"), "<", "<=", ">", ">=", "==", "!="),
        between(tie("double"), "<", ">=", "==", "!="),
        between(tie("truth"), "&&", "||", "==", "<"),
        between(tie("text"), "<", "==", "!="),
        joined(one("!", "!!", "! !!"), bracketed(tie("truth"))),
        fc
          .tuple(tie("text"), one("startsWith", "endsWith", "contains"), tie("text"))
          .map(([a, f, b]) => `${a}.${f}(${b})`),
        fc
          .tuple(tie("whole"), fc.array(tie("whole"), { maxLength: 3 }))
          .map(([a, all]) => `${a} in [${all.join(", ")}]`),
        one('instance_type in ["m5.large", "m6i.large",]', "vcpus in [1, 2.0]"),
      ),
      text: grown(one("instance_type", '"m5"', "'m'", '".large"'), between(tie("text"), "+")),
      any: grown(
        atom,
        between(tie("any"), "+", "*", "<", "==", "&&", "in", "//", "%%", "?", "."),
        called("max", tie("any"), tie("any")),
        called("foo", tie("any")),
        joined(one("!", "-"), tie("any")),
        one(
          "[1, 2].exists(x, x > vcpus) ? 1 : 2",
          "size([1])",
          "has(vcpus.a)",
          "math.ceil(1.5)",
          "int('1')",
          "vcpus.x",
        ),
      ),
    };
  },
);
const expression = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 4, arbitrary: double },
  { weight: 1, arbitrary: truth },
  { weight: 2, arbitrary: any },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "110", "1Gi 2", "vcpus *", "10m + 1", "vcpus // of the type", "1\n+\t1"),
  },
);

const number = fc.oneof(fc.integer({ min: 0, max: 512 }), fc.constantFrom(0, 1, 2 ** 31, 2 ** 53 - 1));
const variables = fc.tuple(number, number, number, number, number, fc.constantFrom("m5.large", "m6i.large", "", "x"));

test("expressions give what Karpenter 1.15 evaluates, or fail where it fails", async () => {
  const sample = { numRuns: 20_000, seed: seedOf("kubelet expressions", 20_261_127) };
  const all = fc.sample(fc.tuple(expression, fc.array(variables, { minLength: 3, maxLength: 3 })), sample);
  const replies = await askProgram<{ answer: [string | (string | null)[]] }>(
    "oracle-provider-1.15",
    all.map(([text, rows]) => ({ op: "evaluate", texts: [text], variables: rows.map(described) })),
  );
  const counts = { invalid: 0, unread: 0, values: 0, failed: 0 };
  const apart = all.flatMap(([text, rows], index): object[] => {
    const [theirs] = replies[index]!.answer;
    const ours = kubeletExpression(text);
    if ("unread" in ours) {
      counts.unread += 1;
      return [];
    }
    if ("invalid" in ours) {
      counts.invalid += 1;
      return typeof theirs === "string" ? [] : [{ text, ours, theirs }];
    }
    const values = rows
      .map((row) => ours.valueFor(asVariables(row)))
      .map((value) => (value instanceof NoValue ? null : String(value)));
    for (const value of values) counts[value === null ? "failed" : "values"] += 1;
    return JSON.stringify(values) === JSON.stringify(theirs) ? [] : [{ text, rows, values, theirs }];
  });
  console.log(`kubelet expressions: ${JSON.stringify(counts)}, ${apart.length} apart`);
  expect(apart.slice(0, 3)).toStrictEqual([]);
  expect(Math.min(counts.invalid, counts.failed, counts.values)).toBeGreaterThan(1000);
  expect(counts.unread).toBeLessThan(sample.numRuns / 4);
}, 2_400_000);

type Row = [number, number, number, number, number, string];

function described([VCPUs, MemoryMiB, DefaultENIs, IPsPerENI, MaxPods, InstanceType]: Row) {
  return { VCPUs, MemoryMiB, DefaultENIs, IPsPerENI, MaxPods, InstanceType };
}

function asVariables([vcpus, memory, enis, addresses, pods, instance_type]: Row): KubeletVariables {
  return {
    vcpus: BigInt(vcpus),
    memory_mib: BigInt(memory),
    default_enis: BigInt(enis),
    ips_per_eni: BigInt(addresses),
    max_pods: BigInt(pods),
    instance_type,
  };
}
