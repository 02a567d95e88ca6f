/** What every wrapper of a hosted cluster is rendered with. */
import type { HiddenInputs } from "./hidden-inputs.ts";
import type { EffectivePolicy } from "./policy.ts";
import type { Settings } from "./settings.ts";

export interface RenderContext {
  readonly settings: Settings;
  readonly policy: EffectivePolicy;
  readonly hidden: HiddenInputs;
}
