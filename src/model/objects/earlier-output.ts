/** Whether a file is anp's earlier output: exactly one object, with both marks. */
import { parseSources } from "../../krm/parse/parse.ts";
import { carriesMarks } from "./marks.ts";

export function isEarlierOutputFile(text: string): boolean {
  const { value, findings } = parseSources([
    { file: "", folder: "", text, explicit: true, trusted: false, config: false },
  ]);
  return findings.length === 0 && value.length === 1 && carriesMarks(value[0]!.value);
}
