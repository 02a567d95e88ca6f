/** Walking a tree that is not on any file system. */
import { expect, it } from "vitest";
import type { FileTree } from "./file-tree.ts";
import { readTree } from "./read-tree.ts";

/** Folders in folders, with a file in the last; a place is how deep it is. */
function deepTree(depth: number): FileTree<number> {
  return {
    prefix: "",
    entriesOf: (at) => [
      at < depth ? { name: "d", type: "folder", at: at + 1 } : { name: "a.yaml", type: "file", at: at + 1 },
    ],
    typeOf: () => "folder",
    enter: (at) => ({ at, real: `/${at}` }),
    read: () => Buffer.from("a: 1"),
    readAll: (files) => [...files].map((file) => [file, Buffer.from("a: 1")] as const),
  };
}

it("needs no stack for folders in folders", () => {
  const given = [{ at: 0, shown: ".", place: "/", trusted: true, config: false }];
  const { value, findings } = readTree(deepTree(5000), given);
  expect({ files: value.map(({ file }) => file), findings }).toStrictEqual({
    files: [`${"d/".repeat(5000)}a.yaml`],
    findings: [],
  });
});
