/** SARIF that its schema and GitHub accept, with rules as the documentation describes them. */
import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import type { Ajv } from "ajv";
import Draft04 from "ajv-draft-04";
import formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../krm/findings/finding.ts";
import { FINDING_CODES, type FindingCode } from "../../krm/findings/finding-codes.ts";
import { sarifReport } from "./sarif.ts";
import { anyFindings, finding } from "../../../test/support/findings.ts";
import { inOrder } from "./common.ts";

interface Descriptor {
  readonly id: string;
  readonly defaultConfiguration: { readonly level: string };
}

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: Descriptor[]; readonly notifications: Descriptor[] } };
      readonly invocations: readonly [
        {
          readonly executionSuccessful: boolean;
          readonly toolExecutionNotifications: {
            descriptor: { id: string; index: number };
            message: { text: string };
          }[];
        },
      ];
      readonly results: {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly locations: readonly [
          {
            readonly physicalLocation: {
              readonly artifactLocation: { readonly uri: string };
              readonly region?: object;
            };
          },
        ];
        readonly partialFingerprints: { readonly "finding/v1": string };
      }[];
    },
  ];
}

// The schema's regular expressions predate the Unicode flag.
const ajv = new (Draft04 as unknown as typeof Ajv)({ allErrors: true, strict: false, unicodeRegExp: false });
(formats as unknown as (ajv: Ajv) => void)(ajv);
const isValid = ajv.compile(schema);

function sarif(findings: readonly Finding[]): Log {
  const log: unknown = JSON.parse(sarifReport(findings, { version: "1.2.3", helpOn: (code) => `all of ${code}\n` }));
  expect(isValid(log), JSON.stringify(isValid.errors)).toBe(true);
  return log as Log;
}

const run = (...findings: readonly Partial<Finding>[]) => sarif(findings.map(finding)).runs[0];

const web = { apiVersion: "v1", kind: "Pool", name: "web" };
const PLACED = { file: "in/pool.yaml", line: 12, column: 5, resource: web, field: "spec.x[0]" };

describe("a report", () => {
  it("holds tool, rules, results, notifications", () => {
    const findings = [
      finding({ ...PLACED, hint: "do this", excerpt: "x: a" }),
      finding({ code: "unknown-field", severity: "warning", file: "a.yaml", line: 3, column: 1 }),
      finding({ code: "not-utf8", severity: "info", file: "b.yaml" }),
      finding({ code: "policy-absent", severity: "info", hint: "that" }),
    ];
    const descriptor = (id: string, text: string, level: string) => ({
      id,
      shortDescription: { text },
      fullDescription: { text },
      help: { text: `all of ${id}\n`, markdown: `all of ${id}\n` },
      defaultConfiguration: { level },
    });
    expect(sarif(findings)).toStrictEqual({
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "anp",
              version: "1.2.3",
              rules: [
                descriptor("not-utf8", "A file is not UTF-8.", "error"),
                descriptor("unknown-field", "A field of a wrapper does not exist and is left out.", "warning"),
                descriptor("policy-bypassed", "The pool would get nodes that the policy does not admit.", "error"),
              ],
              notifications: [descriptor("policy-absent", "The hosted cluster has no policy.", "note")],
            },
          },
          invocations: [
            {
              executionSuccessful: false,
              toolExecutionNotifications: [
                {
                  descriptor: { id: "policy-absent", index: 0 },
                  level: "note",
                  message: { text: "a message\nhelp: that" },
                },
              ],
            },
          ],
          columnKind: "unicodeCodePoints",
          results: [
            {
              ruleId: "policy-bypassed",
              ruleIndex: 2,
              level: "error",
              message: { text: "a message\nhelp: do this" },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "in/pool.yaml" },
                    region: { startLine: 12, startColumn: 5 },
                  },
                  logicalLocations: [{ fullyQualifiedName: "Pool/web/spec.x[0]" }],
                },
              ],
              partialFingerprints: { "finding/v1": "policy-bypassed Pool web spec.x[0]" },
            },
            {
              ruleId: "unknown-field",
              ruleIndex: 1,
              level: "warning",
              message: { text: "a message" },
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: "a.yaml" }, region: { startLine: 3, startColumn: 1 } },
                },
              ],
              partialFingerprints: { "finding/v1": "unknown-field" },
            },
            {
              ruleId: "not-utf8",
              ruleIndex: 0,
              level: "note",
              message: { text: "a message" },
              locations: [{ physicalLocation: { artifactLocation: { uri: "b.yaml" } } }],
              partialFingerprints: { "finding/v1": "not-utf8" },
            },
          ],
        },
      ],
    });
  });

  it("holds an empty list of results without findings", () => {
    const { results, invocations, tool } = run();
    expect({ results, invocations, rules: tool.driver.rules }).toStrictEqual({
      results: [],
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
      rules: [],
    });
  });

  it("escapes links of the input", () => {
    expect(run({ ...PLACED, message: "see [here](http://x)" }).results[0]!.message.text).toBe("see [here] (http://x)");
  });
});

describe("the schema", () => {
  it("is applied: an invalid report is refused", () => {
    const log = sarif([finding(PLACED)]);
    const broken = JSON.parse(
      JSON.stringify(log).replace('"level":"error","message"', '"level":"bad","message"'),
    ) as Log;
    expect(broken).not.toStrictEqual(log);
    expect(isValid(broken)).toBe(false);
  });

  it("is met for any findings: each is there once, in order, with a place, or as a notification", () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const { results, invocations, tool } = sarif(findings).runs[0];
        const { toolExecutionNotifications: notifications } = invocations[0];
        const codes = (placed: boolean) =>
          inOrder(findings).flatMap(({ file, code }) => ((file !== undefined) === placed ? code : []));
        expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toStrictEqual(codes(true));
        expect(results.map(({ ruleId }) => ruleId)).toStrictEqual(codes(true));
        expect(
          notifications.map(({ descriptor }) => [descriptor.id, tool.driver.notifications[descriptor.index]?.id]),
        ).toStrictEqual(codes(false).map((code) => [code, code]));
        expect(JSON.stringify(results)).not.toContain("the line itself");
      }),
      { numRuns: 300 },
    );
  });
});

describe("the place", () => {
  const uriOf = (file: string): string => run({ file }).results[0]!.locations[0].physicalLocation.artifactLocation.uri;

  it.each([
    ["in/pool.yaml", "in/pool.yaml"],
    ["../other/pool.yaml", "../other/pool.yaml"],
    ["my pools/a b.yaml", "my%20pools/a%20b.yaml"],
    ["100%/#1?.yaml", "100%25/%231%3F.yaml"],
    ["c:pool.yaml", "c%3Apool.yaml"],
    ["a\\b.yaml", "a%5Cb.yaml"],
    ["größe/名.yaml", "gr%C3%B6%C3%9Fe/%E5%90%8D.yaml"],
    ["<stdin>", "%3Cstdin%3E"],
    ["/repo/a b.yaml", "file:///repo/a%20b.yaml"],
    ["half\ud800", "half%EF%BF%BD"],
  ])("%s is %s", (file, uri) => {
    expect(uriOf(file)).toBe(uri);
  });

  it("resolves to the file in the folder where anp ran", () => {
    const segment = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/^\.{1,2}$|\//.test(text));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), fc.boolean(), (segments, absolute) => {
        const file = `${absolute ? "/" : ""}${segments.join("/")}`;
        const { protocol, pathname } = new URL(uriOf(file), "file:///repository/");
        expect([protocol, decodeURIComponent(pathname)]).toStrictEqual([
          "file:",
          absolute ? file : `/repository/${file}`,
        ]);
      }),
    );
  });
});

describe("the fingerprint", () => {
  const fingerprints = (...findings: readonly Partial<Finding>[]): string[] =>
    run(...findings).results.map(({ partialFingerprints }) => partialFingerprints["finding/v1"]);

  it("stays the same if lines move and messages change", () => {
    const moved = { ...PLACED, line: 99, column: 1, message: "better", hint: "better", severity: "info" } as const;
    expect(fingerprints(moved)).toStrictEqual(fingerprints(PLACED));
  });

  it("distinguishes findings of one file", () => {
    const all = fingerprints(
      PLACED,
      { ...PLACED, line: 13 },
      { ...PLACED, field: "spec.y" },
      { ...PLACED, resource: { ...web, namespace: "ns" } },
      { ...PLACED, code: "raw-object" },
      { ...PLACED, file: "other.yaml" },
    );
    expect(all).toStrictEqual([
      "policy-bypassed Pool web spec.x[0]",
      "policy-bypassed Pool web spec.y",
      "policy-bypassed Pool ns/web spec.x[0]",
      "raw-object Pool web spec.x[0]",
      "policy-bypassed Pool web spec.x[0] #2",
      "policy-bypassed Pool web spec.x[0]",
    ]);
  });
});

describe("rules", () => {
  it("have the severity that the code has without a RenderConfig", () => {
    const codes = Object.keys(FINDING_CODES) as FindingCode[];
    const { rules } = run(...codes.map((code) => ({ code, file: "f", severity: "info" }) as const)).tool.driver;
    const levels = { error: "error", warning: "warning", info: "note" };
    expect(rules.map(({ id, defaultConfiguration }) => [id, defaultConfiguration.level])).toStrictEqual(
      codes.map((code) => [code, levels[FINDING_CODES[code].severity]]),
    );
  });
});
