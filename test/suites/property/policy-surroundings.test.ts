/** Tests law 1 for the surroundings of a policy: paths and options, neighbours, and links. */
import { describe, expect, it } from "vitest";
import { codes, CONTROL_PLANE, renderFiles, WRAPPERS } from "../../support/property/mistake-run.ts";
import { type Files, POLICY, POLICY_FILE } from "../../support/property/mistakes.ts";

describe("the surroundings of a policy", () => {
  const files: readonly [string, string][] = [[POLICY_FILE, POLICY], CONTROL_PLANE, ...WRAPPERS];
  const having = (...changes: readonly (readonly [string, string])[]) => new Map([...files, ...changes]);
  const elsewhere = (namespace: string): [string, string] => [
    CONTROL_PLANE[0],
    CONTROL_PLANE[1].replace("clusters-shop", namespace),
  ];
  const linked = new Map(files.filter(([path]) => path !== POLICY_FILE));

  it.each<[string, Files, readonly string[], number, string, string?]>([
    ["the provider's folder is not given", having(), ["in/users"], 0, "hosted-cluster-absent"],
    [
      "it is not given, and the cluster is",
      having(),
      ["in/users", "--hosted-cluster", "clusters-shop"],
      0,
      "policy-absent",
    ],
    ["a slip in the cluster", having(), ["in", "--hosted-cluster", "clusters-shp"], 1, "hosted-cluster-unknown"],
    ["another policy directory", having(), ["in", "--policy-dir", "in/users"], 1, "untrusted-policy"],
    ["an empty policy directory", having(["no/x", ""]), ["in/users", "--policy-dir", "in/no"], 3, "input-empty"],
    ["a policy directory that is gone", having(), ["in/users", "--policy-dir", "in/no"], 3, "file-unreadable"],
    ["the control plane is another's", having(elsewhere("clusters-shpo")), ["in"], 1, "ambiguous-cluster"],
    [
      "the same, with the policy's cluster selected",
      having(elsewhere("x")),
      ["in", "--hosted-cluster", "x"],
      0,
      "policy-absent",
    ],
    [
      "another cluster's policy beside it",
      having(["provider/b.yaml", POLICY.replace("-shop", "-b")]),
      ["in"],
      1,
      "ambiguous-cluster",
    ],
    ["everything in .krmignore", having([".krmignore", "*\n"]), ["in"], 3, "input-empty"],
    ["a link to nothing in its place", linked, ["in"], 3, "file-unreadable", "nowhere.yaml"],
    ["a link to itself in its place", linked, ["in"], 3, "file-unreadable", "policy.yaml"],
    [
      "a link to a note in its place",
      new Map([...linked, ["note.txt", "x"]]),
      ["in"],
      0,
      "file-skipped",
      "../note.txt",
    ],
    [
      "a link to it under another name",
      new Map([...linked, ["policy.txt", POLICY]]),
      ["in"],
      0,
      "holds",
      "../policy.txt",
    ],
  ])("%s", async (_what, given, args, exit, says, link) => {
    const { exit: code, stdout, findings } = await renderFiles(given, args, link);
    expect({ code, codes: codes(findings) }).toMatchObject({ code: exit });
    if (says === "holds") expect(stdout).toContain("- amd64");
    else expect(codes(findings)).toContain(says);
    if (code !== 0) expect(stdout).toBe("");
  });
});
