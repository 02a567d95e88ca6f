/** How anp reads YAML: version 1.2, merge keys as kubectl knows them, keys as strings. */
import type { DocumentOptions, ParseOptions, SchemaOptions } from "yaml";

/** Tags for values that JSON does not have; `%YAML 1.1` turns them on. Dates stay text, as they are for Kubernetes. */
const NOT_JSON = ["binary", "omap", "pairs", "set", "timestamp"].map((name) => `tag:yaml.org,2002:${name}`);

/** Messages come without positions: findings have their own. */
export const PARSE_OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  version: "1.2",
  merge: true,
  stringKeys: true,
  // The library compares each key with each other one, which takes minutes for a large mapping: plain-value.ts looks.
  uniqueKeys: false,
  resolveKnownTags: false,
  customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !NOT_JSON.includes(tag.tag)),
  prettyErrors: false,
  logLevel: "silent",
};

/** Kubernetes objects are nested some twenty levels deep. */
export const MAX_DEPTH = 100;

/** The number of values when every alias is followed: above it the document is an "alias bomb". */
export const MAX_EXPANDED_VALUES = 1_000_000;
