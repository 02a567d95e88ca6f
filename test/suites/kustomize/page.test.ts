/** Runs docs/kustomize.md with kustomize: every command has the documented result. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, it } from "vitest";
import { buildOnce } from "../../support/process/built.ts";
import { followPage } from "../../support/process/follow-page.ts";
import { folderWith } from "../../support/process/inputs.ts";
import { programsIn } from "../../support/process/programs.ts";
import { goProgram } from "../../support/go/programs.ts";

beforeAll(buildOnce);

describe("docs/kustomize.md", () => {
  it("is correct", async () => {
    const programs = programsIn(folderWith({}));
    symlinkSync(await goProgram("kustomize"), join(programs, "kustomize"));
    // kustomize ends its last line with a space.
    followPage("docs/kustomize.md", programs, (text) => text.replaceAll(/ +$/gm, ""));
  });
});
