/** Text to Kubernetes objects: each YAML or JSON document of a source in, located resources and findings out. */
import { Composer, type Document, Parser, visit, type YAMLError } from "yaml";
import { type Finding, findingInDocument, findingInFile, type Outcome, type Words } from "./finding.ts";
import { measureValue } from "./input-limits.ts";
import type { Resource, SourceDocument } from "./resource.ts";
import type { Source } from "./source.ts";
import { unpackObjects } from "./unpack.ts";
import { MAX_DEPTH, MAX_EXPANDED_VALUES, PARSE_OPTIONS } from "./yaml-options.ts";

/** The objects of all sources, in order. A document with an error gives its finding and no object. */
export function parseSources(sources: readonly Source[]): Outcome<Resource[]> {
  const value: Resource[] = [];
  const findings: Finding[] = [];
  for (const source of sources) {
    const outcome = parseSource(source);
    for (const resource of outcome.value) value.push(resource);
    findings.push(...outcome.findings);
  }
  return { value, findings };
}

function parseSource(source: Source): Outcome<Resource[]> {
  const value: Resource[] = [];
  const findings: Finding[] = [];
  let documents = 0;
  for (const [document, place] of composeDocuments(source)) {
    const data = plainData(document, place);
    findings.push(...data.findings);
    if (data.findings.length > 0 || data.value === null || data.value === undefined) continue;
    documents += 1;
    const outcome = unpackObjects(data.value, place);
    for (const resource of outcome.value) value.push(resource);
    findings.push(...outcome.findings);
  }
  if (documents === 0 && findings.length === 0) {
    findings.push(
      findingInFile(source.explicit ? "not-krm" : "file-skipped", source.file, { message: "holds no YAML document" }),
    );
  }
  return { value, findings };
}

/** One document at a time keeps one tree in memory, however long the stream is. */
function* composeDocuments(source: Source): Generator<[Document.Parsed, SourceDocument]> {
  const { text } = source;
  let start = 0;
  for (const document of new Composer(PARSE_OPTIONS).compose(new Parser().parse(text), true, text.length)) {
    const end = document.range[2];
    yield [document, { source, start, end, secret: holdsSecret(text.slice(start, end)) }];
    start = end;
  }
}

function plainData(document: Document.Parsed, place: SourceDocument): Outcome<unknown> {
  const problems: YAMLError[] = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    // The first problem is the cause; what a parser says after it is mostly noise.
    return { value: undefined, findings: [describeProblem(problems[0]!, place)] };
  }
  if (/\d{16}/.test(place.source.text.slice(place.start, place.end))) keepLargeIntegers(document);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return refuse(place, { message: "an alias (`*name`) has no anchor (`&name`) before it" });
  }
  const { size, depth } = measureValue(value);
  if (depth > MAX_DEPTH) return refuse(place, TOO_DEEP);
  return size > MAX_EXPANDED_VALUES ? refuse(place, TOO_MANY) : { value, findings: [] };
}

const TOO_DEEP: Words = {
  message: `is nested deeper than ${MAX_DEPTH} levels when its aliases are followed; no Kubernetes object is`,
  hint: "check the brackets and the aliases, or leave this file out",
};

const TOO_MANY: Words = {
  message: `holds more than ${MAX_EXPANDED_VALUES} values in one document when its aliases are followed`,
  hint: "write the values out where the aliases stand, or split the document",
};

function refuse(place: SourceDocument, words: Words): Outcome<undefined> {
  return { value: undefined, findings: [findingInDocument("input-limit", place, place.start, words)] };
}

function describeProblem(problem: YAMLError, place: SourceDocument): Finding {
  const offset = Math.min(problem.pos[0], place.source.text.length);
  switch (problem.code) {
    case "DUPLICATE_KEY": {
      const key = /^[^\s:]+/.exec(place.source.text.slice(offset, offset + 200))?.[0];
      const message = `the key ${key === undefined || place.secret ? "" : `\`${key}\` `}is given twice in one mapping`;
      return findingInDocument("yaml-duplicate-key", place, offset, { message, hint: "keep one of the two" });
    }
    case "RESOURCE_EXHAUSTION":
      return findingInDocument("input-limit", place, offset, TOO_DEEP);
    case "TAB_AS_INDENT": {
      const words = { message: "a tab is used for indentation", hint: "YAML indents with spaces only" };
      return findingInDocument("yaml-syntax", place, offset, words);
    }
    default: {
      const detail = place.secret ? "not shown, because the document holds a secret" : problem.message.split("\n")[0];
      return findingInDocument("yaml-syntax", place, offset, { message: `is not valid YAML: ${detail}` });
    }
  }
}

/** JavaScript would round integers above 2^53 without a word; as a BigInt they meet the model, which asks for quotes. */
function keepLargeIntegers(document: Document.Parsed): void {
  visit(document, {
    Scalar(_key, node) {
      const { value, source } = node;
      if (typeof value !== "number" || Number.isSafeInteger(value) || !/^[+-]?\d+$/.test(source ?? "")) return;
      node.value = BigInt((source ?? "").replace(/^\+/, ""));
    },
  });
}

/** Broken documents cannot be asked for their kind, so this looks at the text and errs on the side of silence. */
function holdsSecret(text: string): boolean {
  return /\bkind["']?\s*:\s*["']?Secret\b|\buserData\b/.test(text);
}
