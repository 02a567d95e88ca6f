/** Each message of Karpenter's events, of its scheduling errors and of conditions is one that anp knows. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { messagesIn } from "../../../src/analyze/explain/read-events.ts";
import { KARPENTER_MESSAGES } from "../../../src/karpenter/events/messages.ts";
import { goModuleDir } from "../../support/go/module-dir.ts";

const CORE = "sigs.k8s.io/karpenter";
const PROVIDER = "github.com/aws/karpenter-provider-aws";

/** Beside each `events.go`: the sources of what its functions are given, below `pkg`. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  [CORE]: [
    "scheduling/taints.go",
    "scheduling/requirements.go",
    "scheduling/volumeusage.go",
    "scheduling/hostportusage.go",
    "controllers/provisioning/scheduling/nodeclaim.go",
    "controllers/provisioning/scheduling/scheduler.go",
    "controllers/provisioning/scheduling/existingnode.go",
    "controllers/provisioning/scheduling/topology.go",
    "controllers/provisioning/scheduling/volumetopology.go",
    "controllers/provisioning/scheduling/dra.go",
    "controllers/disruption/consolidation.go",
    "controllers/disruption/emptiness.go",
    "controllers/disruption/drift.go",
    "controllers/disruption/repair.go",
    "controllers/disruption/staticdrift.go",
    "controllers/disruption/types.go",
    "controllers/disruption/validation.go",
    "controllers/state/statenode.go",
    "controllers/node/health/controller.go",
    "controllers/node/legacyrepair/controller.go",
    "controllers/node/termination/terminator/terminator.go",
    "controllers/node/termination/terminator/eviction.go",
    "controllers/nodeclaim/consistency/nodeshape.go",
    "controllers/nodeclaim/lifecycle/launch.go",
    "controllers/nodeclaim/lifecycle/registration.go",
    "controllers/nodeclaim/lifecycle/initialization.go",
    "controllers/nodeclaim/lifecycle/liveness.go",
    "controllers/nodeclaim/reboot/controller.go",
    "controllers/nodepool/readiness/controller.go",
    "cloudprovider/types.go",
  ],
  [PROVIDER]: [
    "cloudprovider/cloudprovider.go",
    "controllers/nodeclass/ami.go",
    "controllers/nodeclass/placementgroup.go",
    "controllers/nodeclass/securitygroup.go",
    "controllers/nodeclass/subnet.go",
    "controllers/nodeclass/validation.go",
    "providers/instance/instance.go",
  ],
};

/** Calls whose texts reach users: of errors, events and conditions. */
const CALLS =
  /(?:\b(?:Errorf|errors\.New|Sprintf|Blocked|Unconsolidatable|NodeRepairBlocked|transitionToFailed|SetFalse|SetUnknownWithReason|RebootObserved|event|unreplaceableCommands)\(|Message:)/g;

/** Texts that an error of an API server or of EC2 follows, and pieces of other texts. */
const NO_MESSAGES: readonly RegExp[] = [/[,:] %[wvs]$/, /^%s[:/, ]/, /^ \(typo of/, /^[A-Za-z]+=%s[, ]/];

/** They reach no event: panics, steps of a log, and reasons that Karpenter replaces by a word. */
const NEVER_SAID: readonly string[] = [
  "repair candidate has no Node: %#v",
  "rebooting for %s/%s",
  "context canceled",
  "no candidates",
  "reboot failed, replacing node",
  "reboot reached terminal outcome",
  "reboot termination grace period must be non-negative, got %q",
  "unsupported repair action %q",
  "instance not found",
  "instance type %s not found in instance types list",
];

interface Message {
  readonly file: string;
  readonly text: string;
}

async function messagesOf(module: string, version: string): Promise<Message[]> {
  const folder = join(await goModuleDir(module, version), "pkg");
  const events = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("events.go"),
  );
  const files = [...events, ...SOURCES[module]!.filter((file) => existsSync(join(folder, file)))];
  return files.flatMap((file) => textsIn(readFileSync(join(folder, file), "utf8")).map((text) => ({ file, text })));
}

/** The literals of two words or more in each call, with a sample for each verb. */
function textsIn(source: string): string[] {
  const code = source.replaceAll(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(CALLS)]
    .flatMap(({ index, 0: { length } }) => {
      const line = code.slice(index + length, code.indexOf("\n", code.indexOf('"', index + length)));
      return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|`([^`]*)`/g)].map(
        ([, quoted, raw]) => raw ?? (JSON.parse(`"${quoted!}"`) as string),
      );
    })
    .filter((text) => text.trim().includes(" "));
}

function isMessage({ file, text }: Message): boolean {
  if (file.endsWith("events.go")) return true;
  return !NEVER_SAID.includes(text) && !NO_MESSAGES.some((pattern) => pattern.test(text));
}

function sampleOf(text: string): string {
  return text.replaceAll(/%(?:\.\d)?[a-z%]/g, (verb) => (verb === "%q" ? '"x"' : verb === "%%" ? "%" : "x"));
}

describe.each([
  [CORE, "v1.14.1"],
  [CORE, "v1.15.0"],
  [PROVIDER, "v1.14.1"],
  [PROVIDER, "v1.15.1"],
])("%s %s", async (module, version) => {
  const messages = await messagesOf(module, version);

  test("has messages, and each is known", () => {
    expect(messages.length).toBeGreaterThan(40);
    const unknown = messages.filter((one) => isMessage(one) && messagesIn(sampleOf(one.text)).messages.length === 0);
    expect(unknown.map(({ file, text }) => `${file}: ${text}`)).toStrictEqual([]);
  });
});

test("no phrase is of two messages", () => {
  const phrases = KARPENTER_MESSAGES.flatMap((message) => message.phrases.map(String));
  expect(phrases.length).toBe(new Set(phrases).size);
});
