/** How far up an Application may name a path, whatever the path's form. */
import { describe, expect, it } from "vitest";
import { leavesRepository, repositoryDepth } from "./plugin-parameter.ts";

describe("the folders above an application's", () => {
  it.each<[number, string, string | undefined]>([
    [2, "/tmp/_cmp_server/1f0c/apps/shop", "apps/shop"],
    [2, "/tmp/_cmp_server/1f0c/apps/shop", "./apps/shop/"],
    [0, "/tmp/_cmp_server/1f0c", "."],
    [0, "/tmp/_cmp_server/1f0c", ""],
    // Only a part of the repository was sent.
    [1, "/tmp/_cmp_server/1f0c/shop", "apps/shop"],
    [0, "/tmp/_cmp_server/1f0c", "apps/shop"],
    // Not run by Argo CD.
    [0, "/home/me/clusters/apps/shop", undefined],
    [0, "/home/me/clusters/apps/shop", "apps/other"],
  ])("are %i for %s of %s", (depth, folder, sourcePath) => {
    expect(repositoryDepth(folder, sourcePath)).toBe(depth);
  });
});

describe("a path", () => {
  it.each(["..", "../x", "x/../..", "./..", "a/b/../../../c", ".././x", "..//x"])("leaves its folder as %s", (path) => {
    expect(leavesRepository(path, 0)).toBe(true);
    expect(leavesRepository(path, 1)).toBe(false);
  });

  it.each([".", "x", "x/..", "a/../b", "...", "..x", "x..", ""])("stays in its folder as %j", (path) => {
    expect(leavesRepository(path, 0)).toBe(false);
  });

  it("may go up as far as the repository does", () => {
    expect(leavesRepository("../../policies", 2)).toBe(false);
    expect(leavesRepository("../../../policies", 2)).toBe(true);
    expect(leavesRepository("../../../apps/shop", 2)).toBe(true);
  });
});
