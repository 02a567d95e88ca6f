/** A document's tree as plain data: aliases and merge keys resolved, whole numbers exact. */
import { isAlias, isMap, isScalar, type Node, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { Words } from "../findings/finding.ts";
import type { FindingCode } from "../findings/finding-codes.ts";
import { measureValue } from "./input-limits.ts";
import { MAX_DEPTH, MAX_EXPANDED_VALUES } from "../yaml/yaml-options.ts";

/** Why a tree gives no value, and the place in the text. */
export interface Refusal {
  readonly code: FindingCode;
  /** Undefined for the document as a whole. */
  readonly offset: number | undefined;
  readonly words: Words;
  /** The duplicate key. */
  readonly key?: string;
}

export type PlainValue = { readonly value: unknown } | { readonly refusal: Refusal };

/**
 * The library's own conversion takes exponential time for merge keys and quadratic time for aliases. A duplicate key is
 * refused.
 */
export function plainValue(contents: Node | null): PlainValue {
  const conversion = new Conversion();
  const value = conversion.valueOf(contents, 0);
  if (conversion.refusal !== undefined) return { refusal: conversion.refusal };
  if (!conversion.followedAlias) return { value };
  const { size, depth } = measureValue(value);
  if (depth > MAX_DEPTH) return { refusal: { code: "input-limit", offset: undefined, words: TOO_DEEP } };
  if (size > MAX_EXPANDED_VALUES) return { refusal: { code: "input-limit", offset: undefined, words: TOO_MANY } };
  return { value };
}

export const TOO_DEEP: Words = {
  message: `is nested deeper than ${MAX_DEPTH} levels when its aliases are followed; no Kubernetes object is`,
  hint: "check the brackets and the aliases, or leave this file out",
};

const TOO_MANY: Words = {
  message: `holds more than ${MAX_EXPANDED_VALUES} values in one document when its aliases are followed`,
  hint: "write the values out in place of the aliases, or split the document",
};

type PlainObject = Record<string, unknown>;

/** Marks an anchor with a value that is still being read. */
const OPEN = Symbol("open");

class Conversion {
  /** Only the first refusal; the rest is not read. */
  refusal: Refusal | undefined;
  followedAlias = false;
  readonly #anchors = new Map<string, unknown>();
  #merged = 0;

  valueOf(node: Node | null, depth: number): unknown {
    if (this.refusal !== undefined || node === null) return null;
    if (isAlias(node)) return this.#follow(node.source, node);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, OPEN);
    const value = this.#ownValue(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    return value;
  }

  #ownValue(node: Node, depth: number): unknown {
    if (isScalar(node)) return scalarValue(node);
    if (depth === MAX_DEPTH) return this.#refuse("input-limit", node, TOO_DEEP);
    if (isMap(node)) return this.#object(node, depth + 1);
    return (node as YAMLSeq<Node>).items.map((item) => this.valueOf(item, depth + 1));
  }

  #object(map: YAMLMap, depth: number): PlainObject {
    const object: PlainObject = {};
    // Keys that a merge brought may be given again; only then the object itself does not show duplicates.
    let given: Set<string> | undefined;
    for (const pair of map.items) {
      const key = pair.key as Scalar;
      const name = String(this.valueOf(key, depth) ?? "");
      if (given?.has(name) ?? Object.hasOwn(object, name)) this.#refuse("yaml-duplicate-key", key, GIVEN_TWICE, name);
      const value = this.valueOf(pair.value as Node | null, depth);
      if (name !== "<<" || key.type !== "PLAIN") setOwn(object, name, value);
      else {
        given ??= new Set(Object.keys(object));
        this.#merge(value, object, (pair.value as Node | null) ?? key);
      }
      given?.add(name);
    }
    return object;
  }

  /** Existing keys stay; in a list of mappings the earlier ones win. */
  #merge(value: unknown, object: PlainObject, place: Node): void {
    const sources: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const source of sources) {
      if (this.refusal !== undefined) return;
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        this.#refuse("yaml-syntax", place, NOT_MERGEABLE);
        return;
      }
      const entries = Object.entries(source);
      this.#merged += entries.length + 1;
      if (this.#merged > MAX_EXPANDED_VALUES) this.#refuse("input-limit", place, TOO_MANY);
      for (const [name, item] of entries) if (!Object.hasOwn(object, name)) setOwn(object, name, item);
    }
  }

  #follow(anchor: string, alias: Node): unknown {
    this.followedAlias = true;
    const value = this.#anchors.get(anchor);
    if (value === OPEN) return this.#refuse("yaml-syntax", alias, HOLDS_ITSELF);
    return this.#anchors.has(anchor) ? value : this.#refuse("yaml-syntax", alias, NO_ANCHOR);
  }

  #refuse(code: FindingCode, node: Node, words: Words, key?: string): null {
    this.refusal ??= { code, offset: node.range?.[0], words, ...(key === undefined ? {} : { key }) };
    return null;
  }
}

const GIVEN_TWICE: Words = { message: "the key is given twice in one mapping", hint: "keep one of the two" };

const NOT_MERGEABLE: Words = { message: "a merge key (`<<`) takes a mapping, or a list of mappings" };

const HOLDS_ITSELF: Words = { message: "an alias (`*name`) is inside the value that it names, which would be endless" };

const NO_ANCHOR: Words = { message: "an alias (`*name`) has no anchor (`&name`) before it" };

/** JavaScript would silently round integers above 2^53; as a BigInt they reach the model, which asks for quotes. */
function scalarValue({ value, source }: Scalar): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const [, sign, digits] = /^([+-]?)(\d+|0x[\da-f]+|0o[0-7]+)$/i.exec(source ?? "") ?? [];
  // Version 1.1 reads a leading zero as octal.
  if (digits === undefined || Number(digits) !== Math.abs(value)) return value;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

/** Assigning to `__proto__` would set the prototype instead of a field. */
function setOwn(object: PlainObject, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
