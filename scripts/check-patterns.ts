/** Fails for each regular expression of src that a long text can keep busy: `npm run check`. With `--list` it prints them all. */
import { allPatterns } from "./patterns/all-patterns.ts";
import { judgePattern } from "./patterns/judge-pattern.ts";

const { patterns, unseen } = await allPatterns();
const each = [...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]))];

if (process.argv.includes("--list")) process.stdout.write(JSON.stringify(each.map(([, pattern]) => pattern)));
else {
  const troubles = unseen.map(
    ({ file, line }) => `src/${file}:${line}: a pattern that is made only later, so that nobody can judge it`,
  );
  for (const [name, pattern] of each) {
    const trouble = await judgePattern(pattern);
    if (trouble !== undefined) troubles.push(`src/${pattern.file}:${pattern.line}: ${name} ${trouble}`);
  }
  process.stdout.write([...troubles, `${each.length} patterns, ${troubles.length} in trouble`, ""].join("\n"));
  process.exitCode = troubles.length === 0 ? 0 : 1;
}
// The judge's own process would keep this one.
process.stdout.write("", () => process.exit());
