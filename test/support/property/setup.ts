/** Sets the seed of every property test to ANP_SEED, if set, to reproduce a failed run. */
import * as fc from "fast-check";

const seed = process.env["ANP_SEED"];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
