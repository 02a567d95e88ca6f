#!/usr/bin/env node
/** Starts anp: the bundle when it is built, with V8's compile cache. */
import { enableCompileCache } from "node:module";

enableCompileCache?.();
const { main } = await import("../dist/anp.js");
process.exitCode = await main(process.argv.slice(2));
