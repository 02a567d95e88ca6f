/** What an expression can refer to where it is written. */
import type { Source } from "../places/source.ts";
import type { Expression } from "./hcl-syntax.ts";
import type { Budget, Value } from "./values.ts";

/** What names mean where an expression is written. */
export interface Scope {
  readonly source: Source;
  readonly names: ReadonlyMap<string, Value>;
  readonly module: ModuleScope | undefined;
  readonly budget: Budget;
}

/** A folder of Terraform files, whose variables and locals expressions refer to. */
export interface ModuleScope {
  readonly variable: (name: string) => Value | undefined;
  readonly local: (name: string) => Value | undefined;
  /** `path.module` or `path.root`. */
  readonly path: (name: string) => string | undefined;
  /** A data source that only renders a template. */
  readonly data: (type: string, name: string) => Value | undefined;
  /** The text of a file of the repository. */
  readonly file: (path: string) => Source | undefined;
  /** A file as a template. */
  readonly template: (source: Source) => Expression | undefined;
}
