/** With any names, messages, logs and keys, a frame fits its terminal, and no text controls it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { processContext } from "../../../src/commands/cli/context.ts";
import { textWidth } from "../../../src/report/terminal/text-width.ts";
import type { FleetView } from "../../../src/report/dashboard/fleet-view.ts";
import { SMALLEST } from "../../../src/report/dashboard/ui-state.ts";
import { wrapWhole } from "../../../src/report/terminal/wrap.ts";
import { PLAIN } from "../../../src/report/terminal/style.ts";
import { driveEach, type Typed } from "../../support/dashboard/drive.ts";
import { cluster, fleet, passed } from "../../support/dashboard/sample-fleet.ts";
import { nodeClass, pool } from "../../support/dashboard/sample-pools.ts";

const STEERING = [
  "\u001b[2J",
  "\u001b]0;x\u0007",
  "\u009b31m",
  "\r\n",
  "\t",
  "\u202e",
  "\u2028",
  "\u0000",
  "\u200d",
  "\ufe0f",
];

const text = fc
  .array(fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.constantFrom(...STEERING, "日本語", "a b", "👩‍👩‍👧")), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

const ready = fc.record({ status: fc.constantFrom("True", "False", "Unknown"), reason: text, message: text });

const state = fc.record({ words: text, why: text, tone: fc.constantFrom("calm", "changed", "warning", "error") });

const pools = fc.array(
  fc
    .record({ name: text, state, nodeClass: text, reason: ready, used: fc.option(text, { nil: undefined }) })
    .map(({ name, reason, used, ...over }) =>
      pool(name, "unsatisfiable", {
        ...over,
        conditions: [{ type: "Ready", ...reason }],
        usage: [{ resource: "nodes", used, limit: "10" }],
      }),
    ),
  { maxLength: 30 },
);

const views: fc.Arbitrary<FleetView> = fc
  .array(
    fc.record({
      name: text,
      hostedCluster: text,
      broken: fc.option(text, { nil: undefined }),
      ready,
      pools,
      message: text,
    }),
    { maxLength: 6 },
  )
  .map((clusters) =>
    fleet(
      clusters.map(({ name, hostedCluster, broken, ready: is, pools: its, message }, index) =>
        cluster(`${String(index)}${name}`, {
          hostedCluster,
          broken,
          pass: passed({
            ready: is,
            findings: [
              {
                code: "unknown-field",
                severity: "warning",
                message,
                file: name,
                line: 1,
                hint: message,
                excerpt: message,
              },
            ],
            opened: () => ({
              pools: its.map((one, at) => ({ ...one, name: `${String(at)}${one.name}` })),
              nodeClasses: [nodeClass(name, { found: [["subnets", [message]]] })],
              troubles: [{ about: name, state: "held", why: message, severity: "error" }],
            }),
          }),
        }),
      ),
      { log: clusters.map(({ message }) => ({ cluster: undefined, level: "warn", text: message })) },
    ),
  );

const KEYS = [
  "up",
  "down",
  "pageUp",
  "pageDown",
  "home",
  "end",
  "enter",
  "escape",
  "right",
  "left",
  "backspace",
] as const;

const keys: fc.Arbitrary<readonly Typed[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Typed>(...KEYS),
    fc.constantFrom(..."flpr/?jkgGxq 日").map((character) => ({ type: character })),
  ),
  { maxLength: 25 },
);

const sizes = fc.record({
  columns: fc.oneof(fc.constantFrom(60, 80, 200), fc.integer({ min: 1, max: 220 })),
  rows: fc.oneof(fc.constantFrom(12, 24, 50), fc.integer({ min: 1, max: 60 })),
});

// oxlint-disable-next-line no-control-regex -- control characters must not occur
const STEERS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Escape sequences of styles. */
// oxlint-disable-next-line no-control-regex -- the escapes are removed
const SGR = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g;

const styles = fc.constantFrom(PLAIN, processContext().outStyle("always"));

test("every frame fits, and controls nothing", () => {
  fc.assert(
    fc.property(views, keys, sizes, styles, (view, typed, size, style) => {
      for (const { screen } of driveEach(view, typed, size, style)) {
        const lines = [...screen.top, ...screen.body, ...screen.bottom].map((line) => line.replaceAll(SGR, ""));
        expect(lines.length).toBeLessThanOrEqual(size.rows);
        expect(lines.filter((line) => textWidth(line) > size.columns)).toEqual([]);
        expect(lines.filter((line) => STEERS.test(line))).toEqual([]);
        const { content } = screen;
        if (content.kind !== "list" || content.selected === undefined) continue;
        expect(screen.body.filter((line) => line.replaceAll(SGR, "").startsWith(" ▸ "))).toHaveLength(1);
        if (size.rows >= SMALLEST.rows) expect(content.room).toBeGreaterThan(0);
      }
    }),
  );
});

test("wrapping loses nothing but white space", () => {
  const letters = (lines: readonly string[]): string => lines.join("").replaceAll(/\s/g, "");
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab 日\n") }), fc.integer({ min: 2, max: 40 }), (words, width) => {
      const lines = wrapWhole(words, width, 0);
      expect(letters(lines)).toBe(letters([words]));
      expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
    }),
  );
});
