/** Karpenter as a program: out comes the path of the binary with its kwok provider, or why there is none. */
import { buildGoProgram } from "../go/build.ts";

export function karpenterProgram(): Promise<{ path: string } | { skipped: string }> {
  return buildGoProgram({ module: import.meta.dirname, package: ".", name: "karpenter" });
}
