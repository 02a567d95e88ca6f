/** Returns the seed of a property test: ANP_SEED or the given one, printed to reproduce failures. */
export function seedOf(suite: string, seed: number): number {
  const chosen = process.env["ANP_SEED"] === undefined ? seed : Number(process.env["ANP_SEED"]);
  console.log(`${suite}: seed ${chosen} (ANP_SEED=${chosen} runs the same cases)`);
  return chosen;
}
