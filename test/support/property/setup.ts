/** Gives every property test the seed of ANP_SEED when it is set: a run that failed can be run again as it was. */
import * as fc from "fast-check";

const seed = process.env["ANP_SEED"];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
