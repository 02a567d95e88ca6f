/** Parses the YAML or JSON documents of sources to Kubernetes objects with places, and findings. */
import type { Document } from "yaml";
import { describeProblem, describeRefusal, findControlCharacter } from "./describe-problem.ts";
import { DocumentStream, placeIn } from "./document-stream.ts";
import { type Finding, findingInFile, type Outcome, type Words } from "../findings/finding.ts";
import { readJsonStyle } from "../yaml/json-style.ts";
import { readPlainStyle } from "../yaml/plain-style.ts";
import { plainValue, TOO_DEEP } from "./plain-value.ts";
import type { Resource, SourceDocument } from "../places/resource.ts";
import { isSecret } from "./secret-text.ts";
import type { Source } from "../places/source.ts";
import { unpackObjects } from "./unpack.ts";

/** The objects of all sources, in order. A document with an error gives its finding and no object. */
export function parseSources(sources: readonly Source[]): Outcome<Resource[]> {
  const value: Resource[] = [];
  const findings: Finding[] = [];
  for (const source of sources) {
    const outcome = parseSource(source);
    for (const resource of outcome.value) value.push(resource);
    for (const finding of outcome.findings) findings.push(finding);
  }
  return { value, findings };
}

function parseSource(source: Source): Outcome<Resource[]> {
  const value: Resource[] = [];
  const findings: Finding[] = [];
  let documents = 0;
  for (const outcome of documentsOf(source, findings)) {
    if (outcome === undefined) continue;
    documents += 1;
    for (const resource of outcome.value) value.push(resource);
    for (const finding of outcome.findings) findings.push(finding);
  }
  if (value.length > 0 || findings.length > 0) return { value, findings };
  if (source.ofPolicyDir === true) findings.push(findingInFile("not-krm", source.file, NO_RULE));
  else if (documents === 0)
    findings.push(findingInFile(source.explicit ? "not-krm" : "file-skipped", source.file, emptyWords(source)));
  return { value, findings };
}

/** A script that lacks the PATH reads an empty standard input. */
function emptyWords({ file, text }: Source): Words {
  if (file !== "<stdin>" || text.trim() !== "") return { message: "holds no YAML document" };
  return { message: "is empty", hint: "is a PATH missing? Without one the standard input is read" };
}

const NO_RULE = {
  message: "holds no Kubernetes object, and rules are read only in its folder (--policy-dir)",
  hint: "restore its content, remove the file, or name it in the folder's .krmignore",
};

/** A generator, so that only one tree is in memory, however long the stream is. */
function* documentsOf(source: Source, findings: Finding[]): Generator<Outcome<Resource[]> | undefined> {
  const plain = readPlainStyle(source.text) ?? readJsonStyle(source.text);
  if (plain !== undefined) {
    for (const { value, start, end, outline } of plain)
      yield plainDocument(value, placeIn(source, start, end, outline));
    return;
  }
  const stream = new DocumentStream(source);
  for (let next = stream.next(); next !== undefined; next = stream.next())
    yield parseDocument(next.document, next.place);
  if (stream.tooDeepAt === undefined) return;
  const refusal = { code: "input-limit", offset: stream.tooDeepAt, words: TOO_DEEP } as const;
  findings.push(describeRefusal(refusal, stream.rest()));
}

/** The result of parseDocument for a document without problems. */
function plainDocument(value: unknown, place: SourceDocument): Outcome<Resource[]> | undefined {
  const control = findControlCharacter(place);
  if (control !== undefined) return { value: [], findings: [control] };
  return value === null ? undefined : unpackObjects(value, marked(value, place));
}

/** Undefined for an empty document. */
function parseDocument(document: Document.Parsed, place: SourceDocument): Outcome<Resource[]> | undefined {
  const control = findControlCharacter(place);
  if (control !== undefined) return { value: [], findings: [control] };
  // The first problem is the cause; the parser's later ones are mostly consequences.
  const [problem] = document.errors;
  if (problem !== undefined) return { value: [], findings: [describeProblem(problem, document, place)] };
  const plain = plainValue(document.contents);
  if ("refusal" in plain) return { value: [], findings: [describeRefusal(plain.refusal, place)] };
  const { value } = plain;
  if (value === null) return undefined;
  const outcome = unpackObjects(value, marked(value, place));
  const [doubt] = document.warnings;
  // An unknown tag may change what an object means; files of other tools often have them.
  if (doubt === undefined || outcome.value.length === 0) return outcome;
  return { value: [], findings: [describeProblem(doubt, document, place)] };
}

function marked(value: unknown, place: SourceDocument): SourceDocument {
  return !place.secret && isSecret(value) ? { ...place, secret: true } : place;
}
