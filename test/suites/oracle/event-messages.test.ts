/** Each message of Karpenter's events, scheduling errors and conditions is known, and each known one is Karpenter's. */
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

const VERSIONS: readonly (readonly [module: string, version: string])[] = [
  [CORE, "v1.14.1"],
  [CORE, "v1.15.0"],
  [PROVIDER, "v1.14.1"],
  [PROVIDER, "v1.15.1"],
];

/** Their logs are read too: those with Provisioners, and the first ones of v1. */
const OLD_VERSIONS: typeof VERSIONS = [
  ["github.com/aws/karpenter-core", "v0.29.0"],
  [CORE, "v1.0.8"],
  [PROVIDER, "v1.0.8"],
];

describe.each(VERSIONS)("%s %s", async (module, version) => {
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

describe("each phrase", async () => {
  const sources = await Promise.all([...VERSIONS, ...OLD_VERSIONS].map(async (one) => sourceOf(...one)));
  const source = sources.join("\n");
  const phrases = KARPENTER_MESSAGES.flatMap(({ id, phrases: own }) =>
    own.flatMap((phrase) => [phrase].flat().map((text) => ({ id, text: lowered(text) }))),
  );

  const isPrinted = (text: string): boolean =>
    waysToPrint(text).some((way) => way.every((literal) => source.includes(literal)));

  test("is in the source of a version of Karpenter or of its AWS provider", () => {
    const unknown = phrases.filter(({ text }) => !isPrinted(text));
    expect(unknown.map(({ id, text }) => `${id}: ${text}`)).toStrictEqual([]);
  });

  test.each(["no instance type satisfied limits", "incompatible limits, key ", "subnetsfound=false", "notsupported:"])(
    "would be missed: %s",
    (text) => expect(isPrinted(text)).toBe(false),
  );
});

async function sourceOf(module: string, version: string): Promise<string> {
  const folder = join(await goModuleDir(module, version), "pkg");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"))
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll('\\"', '"').replaceAll("%q", '"x"'));
  return lowered(texts.join("\n"));
}

function lowered(text: string): string {
  return text.toLowerCase().replaceAll("’", "'");
}

/** The literals that each way to print a phrase takes: as it is, an error in another, a condition, a code of EC2. */
function waysToPrint(text: string): string[][] {
  const comma = text.indexOf(", ") + 2;
  const [, name, value] = /^(\w+)(=false|=unknown|:| - )$/.exec(text) ?? [];
  return [
    [text],
    ...(comma > 1 && comma < text.length ? [[`${text.slice(0, comma)}%w`, `"${text.slice(comma)}`]] : []),
    ...(name === undefined ? [] : [[`${value!.startsWith("=") ? "conditiontype" : ""}${name}`, `"${name}"`]]),
  ];
}
