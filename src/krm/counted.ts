/** A number and what is counted in, words for both out: `1 node`, `3 nodes`. */

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
