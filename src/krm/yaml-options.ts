/** How anp reads YAML: version 1.2, merge keys as kubectl knows them, keys as strings, no position noise in messages. */
import type { DocumentOptions, ParseOptions, SchemaOptions } from "yaml";

export const PARSE_OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  version: "1.2",
  merge: true,
  stringKeys: true,
  prettyErrors: false,
  logLevel: "silent",
};

/** A file above this is refused: no cluster has so much policy, and a mistake should not fill the memory. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Kubernetes objects are nested some twenty levels deep. */
export const MAX_DEPTH = 100;

/** Values after every alias is followed: above it the document is an "alias bomb". */
export const MAX_EXPANDED_VALUES = 1_000_000;
