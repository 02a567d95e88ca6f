/** Makes zod interpret schemas: compiling each to a function takes longer than checking what a run has to check. */
import { config } from "zod";

config({ jitless: true });
