/** An object without its undefined fields, which would overwrite those of another when spread. */

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function definedFields<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
