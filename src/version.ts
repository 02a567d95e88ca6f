/** The version of anp, from package.json; the build puts the number in. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
