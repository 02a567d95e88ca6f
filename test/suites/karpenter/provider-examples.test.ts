/** Tests the examples of Karpenter's AWS provider: anp refuses only the one that its own CRD refuses. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeEntry, type FindingCode } from "../../../src/krm/findings/finding-codes.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";
import { runMain } from "../../support/process/run-anp.ts";

/** As in go.mod of test/support/oracle-provider. */
const VERSION = "v1.14.1";

/** By file: each pool with its verdict and the findings of `anp check`, without infos of the set for production. All name `${CLUSTER_NAME}`. */
const EXAMPLES: Readonly<Record<string, { readonly pools: string; readonly finds: string }>> = {
  "100-cpu-limit.yaml": { pools: "limitcpu100 ok", finds: "placeholder-unfilled" },
  "al2-custom-ami.yaml": { pools: "default ok", finds: "placeholder-unfilled" },
  "al2-custom-userdata.yaml": { pools: "default ok", finds: "placeholder-unfilled" },
  "al2-kubelet-log-query.yaml": { pools: "default ok", finds: "placeholder-unfilled" },
  "al2023-custom-userdata.yaml": { pools: "default ok", finds: "placeholder-unfilled" },
  "bottlerocket.yaml": { pools: "default ok", finds: "placeholder-unfilled, volume-unencrypted" },
  "br-custom-userdata.yaml": { pools: "default ok", finds: "placeholder-unfilled" },
  "custom-family-with-alias.yaml": { pools: "default ok", finds: "placeholder-unfilled, custom-image-bootstrap" },
  "custom-family.yaml": { pools: "default ok", finds: "placeholder-unfilled, custom-image-bootstrap" },
  "general-purpose.yaml": { pools: "general-purpose ok", finds: "placeholder-unfilled" },
  "instance-store-ephemeral-storage.yaml": {
    pools: "default ok",
    finds: "placeholder-unfilled, optional-label-bounded",
  },
  "large-instances.yaml": {
    pools: "large-instances ok",
    finds: "placeholder-unfilled, capacity-type-unset, arch-or-os-unset",
  },
  "max-node-lifetime.yaml": { pools: "default ok", finds: "placeholder-unfilled" },
  "min-values-family.yaml": { pools: "spot ok", finds: "placeholder-unfilled" },
  "min-values-multiple-keys.yaml": { pools: "spot ok", finds: "placeholder-unfilled" },
  "multiple-arch.yaml": { pools: "amd64 ok, arm64 ok", finds: "placeholder-unfilled" },
  "multiple-ebs.yaml": { pools: "default ok", finds: "placeholder-unfilled, volume-unencrypted" },
  "spot.yaml": { pools: "spot ok", finds: "placeholder-unfilled" },
  "windows-2019.yaml": { pools: "windows2019 ok", finds: "placeholder-unfilled" },
  "windows-2022.yaml": { pools: "windows2022 ok", finds: "placeholder-unfilled" },
  "windows-2025.yaml": { pools: "windows2025 ok", finds: "placeholder-unfilled" },
  // Its nodeClassRef has a version in the group, which the CRD of NodePools refuses.
  "windows-custom-userdata.yaml": { pools: "", finds: "error node-pool-invalid, placeholder-unfilled" },
};

const folder = join(await goModuleDir("github.com/aws/karpenter-provider-aws", VERSION), "examples/v1");

interface Answer {
  readonly nodePools: readonly { readonly name: string; readonly verdict: string }[];
}

interface Found {
  readonly severity: string;
  readonly code: FindingCode;
}

function isNoAdvice({ severity, code }: Found): boolean {
  return severity !== "info" || codeEntry(code).set !== "production";
}

async function lookAt(file: string): Promise<{ pools: string; finds: string }> {
  const explained = await runMain(["explain", file, "-o", "json"], folder, {});
  const checked = await runMain(["check", file, "-o", "json"], folder, {});
  const { nodePools } = JSON.parse(explained.stdout) as Answer;
  const { findings } = JSON.parse(checked.stdout) as { findings: readonly Found[] };
  const pools = nodePools.map(({ name, verdict }) => `${name} ${verdict}`);
  const codes = findings
    .filter(isNoAdvice)
    .map(({ severity, code }) => `${severity === "info" ? "" : `${severity} `}${code}`);
  return { pools: pools.join(", "), finds: [...new Set(codes)].join(", ") };
}

describe("the examples of the AWS provider", () => {
  it("are all covered", () => {
    expect(readdirSync(folder).toSorted()).toStrictEqual(Object.keys(EXAMPLES));
  });

  it.each(Object.entries(EXAMPLES))("%s", async (file, expected) => {
    expect(await lookAt(file)).toStrictEqual(expected);
  });
});
