/** The catalogues of a worker: the text of the shipped one in, and files. */
import { configuredCatalogues } from "../../../analyze/explain/configured-catalogues.ts";
import type { CatalogueFor } from "../../../analyze/explain/explain.ts";
import { parseShippedCatalogue } from "../../../karpenter/catalogue/parse-shipped-catalogue.ts";
import { readWithinLimit } from "../../../krm/read-file.ts";
import { utf8Text } from "../../../krm/utf8-text.ts";
import { whyUnreadable } from "../../../krm/why-unreadable.ts";
import { once } from "../../../model/once.ts";

/** A hundred times the shipped one. */
const MOST_BYTES = 64 * 1024 * 1024;

/** @param shipped read when the first pool asks for it */
export function workerCatalogues(shipped: string): CatalogueFor {
  return configuredCatalogues({
    usual: once(() => parseShippedCatalogue(shipped)),
    textOf,
    refusal: (path, { message }) => new Error(`${path} ${message}`),
  });
}

function textOf(path: string): string {
  const bytes = attempt(path, () => readWithinLimit(path, MOST_BYTES));
  if (typeof bytes === "number") throw new Error(`${path} is larger than any catalogue`);
  const text = utf8Text(bytes);
  if (typeof text === "string") return text;
  throw new Error(`${path} ${text.message}`);
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${path} ${whyUnreadable(error as NodeJS.ErrnoException, path).message}`, { cause: error });
  }
}
