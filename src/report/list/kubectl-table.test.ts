/** Tables byte by byte, as kubectl's tabwriter aligns them. */
import { expect, test } from "vitest";
import { kubectlTable } from "./kubectl-table.ts";

test("no column is narrower than six, and three spaces separate columns", () => {
  const rows = [
    ["a", "True", "5d"],
    ["a-long-name", "Unknown", ""],
  ];
  expect(kubectlTable(["Name", "Ready", "Age"], rows)).toBe(
    ["NAME          READY     AGE", "a             True      5d", "a-long-name   Unknown   ", ""].join("\n"),
  );
  expect(kubectlTable(["A", "B"], [["1", "2"]])).toBe("A     B\n1     2\n");
});

test("no rows print only the titles", () => {
  expect(kubectlTable(["Name", "Age"], [])).toBe("NAME   AGE\n");
});

test("a cell can neither leave its line nor control the terminal", () => {
  const rows = [
    ["one\ntwo", "x"],
    ["\u001b[31mred", "x"],
    ["a\tb\u202e", "x"],
    ["żółć", "x"],
  ];
  expect(kubectlTable(["Name", "B"], rows)).toBe(
    ["NAME        B", "one...      x", "^[[31mred   x", "a b\ufffd        x", "żółć        x", ""].join("\n"),
  );
});
