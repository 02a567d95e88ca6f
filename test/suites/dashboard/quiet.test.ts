/** Output to the terminal: none without changes, little for small changes, and a restored terminal at the end. */
import { expect, test } from "vitest";
import { fakeTerminal, KEYS } from "../../support/dashboard/fake-terminal.ts";
import { cluster, fleet, HELD } from "../../support/dashboard/sample-fleet.ts";
import { NOW } from "../../support/dashboard/sample-pools.ts";

const ALTERNATE_SCREEN = "\u001b[?1049h";
const PRIMARY_SCREEN = "\u001b[?1049l";
const SHOW_CURSOR = "\u001b[?25h";
const HIDE_CURSOR = "\u001b[?25l";

const VIEW = fleet(Array.from({ length: 40 }, (_, index) => cluster(`tenant-${String(index).padStart(3, "0")}`)));

test("a second without a visible change draws nothing", async () => {
  const terminal = await fakeTerminal(VIEW, { whole: false });
  const before = terminal.writes();
  for (let milliseconds = 250; milliseconds <= 1500; milliseconds += 250)
    await terminal.change({ ...VIEW, now: NOW + milliseconds });
  expect(terminal.writes()).toBe(before);
  await terminal.type("x", KEYS.up);
  expect(terminal.writes()).toBe(before);
  await terminal.close();
});

test("a change of one cluster draws its line, not the screen", async () => {
  const terminal = await fakeTerminal(VIEW, { whole: false });
  const before = terminal.written().length;
  const clusters = VIEW.clusters.map((one, index) => (index === 3 ? { ...one, phase: "running" as const } : one));
  await terminal.change({ ...VIEW, clusters });
  const drawn = terminal.written().slice(before);
  expect(drawn).toContain("running");
  expect(drawn).not.toContain("tenant-002");
  expect(drawn.length).toBeLessThan(300);
  await terminal.close();
});

test("the terminal is restored: primary screen, cursor, keys", async () => {
  const terminal = await fakeTerminal(VIEW, { whole: false });
  expect(terminal.written()).toContain(`${ALTERNATE_SCREEN}${HIDE_CURSOR}`);
  expect(terminal.keyboard.isRaw).toBe(true);
  await terminal.close();
  const written = terminal.written();
  expect(written.lastIndexOf(PRIMARY_SCREEN)).toBeGreaterThan(written.lastIndexOf(ALTERNATE_SCREEN));
  expect(written.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(written.lastIndexOf(HIDE_CURSOR));
  expect(terminal.keyboard.isRaw).toBe(false);
});

test("a bug restores it too, and is reported", async () => {
  const terminal = await fakeTerminal(VIEW, { whole: false });
  const broken = cluster("broken");
  Object.defineProperty(broken, "name", {
    get: () => {
      throw new Error("made to fail");
    },
  });
  await terminal.change(fleet([broken]));
  await expect(terminal.close()).rejects.toThrow("made to fail");
  const written = terminal.written();
  expect(written.lastIndexOf(PRIMARY_SCREEN)).toBeGreaterThan(written.lastIndexOf(ALTERNATE_SCREEN));
  expect(written.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(written.lastIndexOf(HIDE_CURSOR));
  expect(terminal.keyboard.isRaw).toBe(false);
});

test("fast typing arrives key by key; pasted text triggers no action", async () => {
  const terminal = await fakeTerminal(fleet([cluster("a"), HELD, cluster("c")]));
  await terminal.type("jjp");
  expect(terminal.actions).toEqual([{ do: "pause", cluster: "c" }]);
  await terminal.type("\u001b[200~qqprf\u001b[201~");
  expect(terminal.actions).toHaveLength(1);
  await terminal.type("/", "\u001b[200~held\n\u001b[201~", KEYS.enter);
  expect(terminal.frame()).toContain("1 of 3 clusters");
  await terminal.type(KEYS.ctrlC);
  expect(terminal.actions.at(-1)).toEqual({ do: "quit" });
  await terminal.close();
});
