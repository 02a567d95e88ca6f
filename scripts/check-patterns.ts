/** Fails for each pattern of src that takes more than linear time; `--list` prints them all. */
import { allPatterns } from "./patterns/all-patterns.ts";
import { checkPattern } from "./patterns/check-pattern.ts";

const { patterns, unseen } = await allPatterns();
const each = [...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]))];

if (process.argv.includes("--list")) process.stdout.write(JSON.stringify(each.map(([, pattern]) => pattern)));
else {
  const troubles = unseen.map(
    ({ file, line }) =>
      `src/${file}:${line}: this pattern is only made later, so it cannot be checked: make it when the module loads`,
  );
  for (const [name, pattern] of each) {
    const trouble = await checkPattern(pattern);
    if (trouble !== undefined) troubles.push(`src/${pattern.file}:${pattern.line}: ${name} ${trouble}`);
  }
  process.stdout.write([...troubles, `${each.length} patterns, ${troubles.length} with problems`, ""].join("\n"));
  process.exitCode = troubles.length === 0 ? 0 : 1;
}
// The checker's own process would keep this one running.
process.stdout.write("", () => process.exit());
