/** Runs docs/kpt.md with kpt: every command has the documented result. */
import { beforeAll, describe, it } from "vitest";
import { buildOnce } from "../../support/process/built.ts";
import { followPage } from "../../support/process/follow-page.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { programsIn } from "../../support/process/programs.ts";
import { kptMissing, withoutTimes } from "../../support/kpt/kpt.ts";

beforeAll(buildOnce);

describe.skipIf(kptMissing() !== undefined)("docs/kpt.md", () => {
  it("is correct", () => {
    // kpt ends some lines with a space.
    followPage("docs/kpt.md", programsIn(folderWith({})), (text) => withoutTimes(text).replaceAll(/ +$/gm, ""));
  });
});
