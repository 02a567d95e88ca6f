/** Reports in one finding everything that a RenderConfig loosens. */
import { type FieldPath, formatFieldPath } from "../krm/places/field-path.ts";
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { codeEntry, type FindingCode } from "../krm/findings/finding-codes.ts";
import { describeResource } from "../krm/places/resource.ts";
import { DEFAULT_PROFILE } from "../model/crds/profile.ts";
import { KARPENTER_USERS, type RenderOptions, type Settings } from "./settings.ts";

interface Loosened {
  readonly path: FieldPath;
  readonly what: string;
}

/**
 * A RenderConfig can suppress findings of every command, so each run reports it. No rule and no baseline hides this
 * finding; only a config that the user names as trusted has none.
 */
export function rulesLoosened({ config, resource }: Settings, options: RenderOptions): Finding[] {
  if (resource === undefined || resource.document.source.config || options.rulesTrusted === true) return [];
  const [first, ...others] = loosenedBy(config, options);
  if (first === undefined) return [];
  const words = {
    message: `${describeResource(resource)} loosens anp's rules: ${[first, ...others].map(({ what }) => what).join(", ")}`,
    hint: "name it with --config, or its folder with --policy-dir, if only the owners of the policy can write it",
  };
  const finding = findingAt("rules-loosened", resource, ["spec", ...first.path], words);
  return [options.requirePolicy === true ? { ...finding, severity: "warning" } : finding];
}

function loosenedBy(
  { admission = {}, profile, requirePolicy, rules = {}, baseline, catalogue }: Settings["config"],
  options: RenderOptions,
): Loosened[] {
  const found: Loosened[] = [];
  const add = (path: FieldPath, value?: string): void =>
    void found.push({ path, what: `${formatFieldPath(path)}${value === undefined ? "" : ` (${value})`}` });
  const { mode, nodeClaims, allowedWriters = [], karpenterUsers } = admission;
  if (mode === "None") add(["admission", "mode"], mode);
  if (nodeClaims === "None") add(["admission", "nodeClaims"], nodeClaims);
  if (allowedWriters.length > 0) add(["admission", "allowedWriters"]);
  // In a profile without a known user, naming one is stricter.
  const known = KARPENTER_USERS[options.profile ?? profile ?? DEFAULT_PROFILE];
  if (known !== undefined && karpenterUsers?.some((user) => !known.includes(user)))
    add(["admission", "karpenterUsers"]);
  const decides = options.profile === undefined && profile !== undefined && nodeClaims !== "None";
  if (decides && KARPENTER_USERS[profile] === undefined && karpenterUsers === undefined)
    add(["profile"], `${profile} knows no user of Karpenter`);
  if (requirePolicy === false && options.requirePolicy === undefined) add(["requirePolicy"], "false");
  for (const [code, level] of Object.entries(rules) as [FindingCode, keyof typeof RANKS][])
    if (RANKS[level] < RANKS[codeEntry(code).severity]) add(["rules", code], level);
  if (baseline !== undefined) add(["baseline"]);
  // Findings omit types that are missing in the catalogue.
  if (catalogue !== undefined) add(["catalogue"]);
  return found;
}

const RANKS = { off: 0, info: 1, warning: 2, error: 3 } as const;
