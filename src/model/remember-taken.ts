/** A schema that does not look again at what it took. */
import type * as z from "zod/mini";
import { roomBeside } from "../krm/input-limits.ts";

/** Longer values are rarely alike, and as many texts of this length are all that is kept. */
const LONGEST = 1000;
const MOST = 1000;

/**
 * `schema` itself, which must be the caller's own, have all its checks and take no null, for which JSON writes other
 * things too. The pools of a fleet ask for the same few things: of a thousand pools their entries were two fifths of
 * zod's time. And what is rendered holds the values that were read, and is checked by the same schema. Who gets a value
 * of it must not change it: it may be the one that was read.
 */
export function rememberTaken<S extends z.ZodMiniType>(schema: S): S {
  const own = new WeakSet<object>();
  const texts = new Set<string>();
  const { _zod: internals } = schema;
  const run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    const { value } = payload;
    if (typeof value !== "object" || value === null) return run(payload, context);
    if (own.has(value)) return payload;
    const text = textOf(value);
    if (text !== undefined && texts.has(text)) {
      own.add(value);
      return payload;
    }
    const outcome = run(payload, context);
    if (outcome instanceof Promise || outcome.issues.length > 0) return outcome;
    const taken = outcome.value as object;
    own.add(taken);
    // What it alters or puts in another order, it must alter each time.
    if (text !== undefined && textOf(taken) === text) {
      if (texts.size === MOST) texts.clear();
      texts.add(text);
    }
    return outcome;
  };
  return schema;
}

/** Undefined of a long value, and of one with a number that JSON does not know. */
function textOf(value: object): string | undefined {
  // Aliases make a long value of a short document: it must not be written out first.
  if (roomBeside(value, LONGEST) < 0) return undefined;
  try {
    const text = JSON.stringify(value);
    return text.length > LONGEST ? undefined : text;
  } catch {
    return undefined;
  }
}
