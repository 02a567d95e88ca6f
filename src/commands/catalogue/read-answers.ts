/** Reads saved JSON output of the AWS CLI, from files with one page or all pages. */
import { firstOf, parseJson } from "../../karpenter/catalogue/read-catalogue.ts";
import { type Product, product, productsAnswer } from "../../model/ec2/price-answers.ts";
import { check } from "../../model/schema/validate.ts";
import type { Context } from "../cli/context.ts";
import { readText } from "../cli/read-text.ts";
import { UnreadableError } from "../cli/unreadable-error.ts";

type Schema = Parameters<typeof check>[0];

/** @throws UnreadableError if the file holds anything else */
export function readAnswer<S extends Schema>(file: string, schema: S, context: Context) {
  return parseAnswer(file, readText(file, context), schema);
}

/** All pages. Only the last page has no token; without it, part of the region would silently be missing. */
export function readPages<S extends Schema>(files: readonly string[], schema: S, context: Context) {
  const pages = files.map((file) => readAnswer(file, schema, context));
  if (files.length === 0 || pages.some((page) => !(page as { readonly NextToken?: unknown }).NextToken)) return pages;
  const message = "is one of several pages, and the last one is missing";
  throw new UnreadableError(files.join(", "), message, "leave out --max-items and --no-paginate, or give all pages");
}

export function readProducts(files: readonly string[], context: Context): Product[] {
  const texts = readPages(files, productsAnswer(), context).flatMap(({ PriceList }) => PriceList);
  return texts.map((text) => parseAnswer(files.join(", "), text, product()));
}

function parseAnswer<S extends Schema>(file: string, text: string, schema: S) {
  const json = parseJson(text);
  if ("problem" in json) throw new UnreadableError(file, json.problem.message);
  const { value, violations } = check(schema, json.value);
  if (value !== undefined) return value;
  const { message, hint } = firstOf(violations);
  throw new UnreadableError(file, `is not the expected output of the AWS CLI: ${message}`, hint);
}
