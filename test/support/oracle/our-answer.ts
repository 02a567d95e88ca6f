/** Answers an oracle question with src/karpenter and src/model, in the oracle's format. */
import { minValuesOf } from "../../../src/karpenter/requirements/min-values.ts";
import {
  formatRequirement,
  has,
  hasIntersection,
  intersection,
  operatorOf,
  type Requirement,
  serialize,
} from "../../../src/karpenter/requirements/requirement.ts";
import {
  addRequirements,
  compatible,
  formatRequirements,
  intersects,
  type Requirements,
  requirementsOf,
} from "../../../src/karpenter/requirements/requirements.ts";
import { WELL_KNOWN_LABELS } from "../../../src/model/requirements/labels.ts";
import { type NodeSelectorRequirement, requirementsSchema } from "../../../src/model/requirements/requirement.ts";
import type { KarpenterVersion } from "../go/programs.ts";
import type { Answers, KeyForm, Question, Verdict } from "./question.ts";

type Ours = Omit<Answers, "compatible" | "minValues"> & {
  compatible: Verdict;
  minValues: Omit<Answers["minValues"], "error">;
};

const NONE: ReadonlySet<string> = new Set();

export function ourAnswer(question: Question, karpenter: KarpenterVersion = "1.14"): Ours[Question["op"]] {
  switch (question.op) {
    case "merge": {
      // The same for one list of entries and for two merged lists.
      const half = question.entries.length >> 1;
      const [first, second] = [question.entries.slice(0, half), question.entries.slice(half)];
      const added = addRequirements(requirementsOf(first), requirementsOf(second));
      return { keys: [...added.values()].map(formOf), text: formatRequirements(requirementsOf(question.entries)) };
    }
    case "has": {
      const requirement = only(question.entries);
      return question.values.map((value) => has(requirement, value));
    }
    case "intersection": {
      const [a, b] = [only(question.a), only(question.b)];
      return { both: formOf(intersection(a, b)), hasIntersection: hasIntersection(a, b) };
    }
    case "intersects":
      return verdict(intersects(requirementsOf(question.a), requirementsOf(question.b)));
    case "compatible": {
      const known = question.allowWellKnown ? WELL_KNOWN_LABELS : NONE;
      return verdict(compatible(requirementsOf(question.a), requirementsOf(question.b), known));
    }
    case "minValues": {
      const types = question.types.map(requirementsOf).map(advertised);
      const { needed, shortfall } = minValuesOf(types, requirementsOf(question.requirements), karpenter !== "1.14");
      return { needed, short: shortfall.size === 0 ? null : Object.fromEntries(shortfall) };
    }
    case "validate": {
      const { error } = requirementsSchema.safeParse(question.entries);
      return verdict(error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
    }
  }
}

function only(entries: readonly NodeSelectorRequirement[]): Requirement {
  return [...requirementsOf(entries).values()][0]!;
}

function formOf(requirement: Requirement): KeyForm {
  const { key } = requirement;
  const text = `${key} ${formatRequirement(requirement)}`;
  return { key, operator: operatorOf(requirement), text, entries: serialize(requirement) };
}

function advertised(type: Requirements): (key: string) => readonly string[] {
  return (key) => [...(type.get(key)?.values ?? [])];
}

function verdict(error: string | undefined): Verdict {
  return { error: error ?? null };
}
