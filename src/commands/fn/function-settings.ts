/** Settings of a function, from its flags, its functionConfig and the file of `--config`. */
import { type Finding, findingAt, findingInFile, type Outcome } from "../../krm/findings/finding.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import { readFunctionConfig } from "../../model/settings/function-config.ts";
import { roleOf } from "../../model/objects/role.ts";
import { type Given, given } from "../../model/settings/settings.ts";
import type { SharedOptions } from "../cli/options.ts";

export type FunctionOptions = SharedOptions & Given<"fn">;

export interface FunctionSettings extends Given<"functionConfig"> {
  readonly renderConfig: Resource | undefined;
}

/** Flags take precedence over the functionConfig; undefined if one of them is invalid. */
export function functionSettings(
  functionConfig: Resource | undefined,
  options: FunctionOptions,
  configFile: Source | undefined,
): Outcome<FunctionSettings | undefined> {
  const fromFile = configFile === undefined ? NOTHING : onlyRenderConfig(configFile);
  const fromHost = functionConfig === undefined ? NO_SETTINGS : settingsOf(functionConfig);
  const findings: Finding[] = [...fromFile.findings, ...fromHost.findings];
  if (fromHost.value === undefined || fromFile.findings.length > 0) return { value: undefined, findings };
  const { value } = fromHost;
  const flags = given("functionConfig", options);
  if (fromFile.value !== undefined && value.renderConfig !== undefined) {
    const message = "a RenderConfig is in the functionConfig and in --config, and only one can apply";
    const hint = "leave out --config";
    return {
      value: undefined,
      findings: [findingAt("function-config-invalid", functionConfig!, ["kind"], { message, hint })],
    };
  }
  return { value: { ...value, ...flags, renderConfig: fromFile.value ?? value.renderConfig }, findings };
}

const NOTHING: Outcome<undefined> = { value: undefined, findings: [] };
const NO_SETTINGS: Outcome<FunctionSettings> = { value: { renderConfig: undefined }, findings: [] };

function settingsOf(functionConfig: Resource): Outcome<FunctionSettings | undefined> {
  const { apiVersion, kind } = functionConfig;
  if (apiVersion === "v1" && kind === "ConfigMap") {
    const { value, findings } = readFunctionConfig(functionConfig);
    return { value: value === undefined ? undefined : { ...value, renderConfig: undefined }, findings };
  }
  if (roleOf(functionConfig) === "render-config") return { value: { renderConfig: functionConfig }, findings: [] };
  const given = [apiVersion, kind].filter((text) => text !== "").join(" ");
  const message = `a functionConfig is a ConfigMap or a RenderConfig, not ${given === "" ? "an object without kind" : given}`;
  const hint = "apiVersion: anp.hypershift.openshift.io/v1alpha1, kind: RenderConfig; or a v1 ConfigMap with data";
  const finding = findingAt("function-config-invalid", functionConfig, ["kind"], { message, hint });
  return { value: undefined, findings: [finding] };
}

function onlyRenderConfig(file: Source): Outcome<Resource | undefined> {
  const { value, findings } = parseSources([file]);
  const [config, ...others] = value;
  if (findings.length > 0) return { value: undefined, findings };
  if (config !== undefined && others.length === 0 && roleOf(config) === "render-config")
    return { value: config, findings: [] };
  const message = "must hold one RenderConfig and nothing else";
  const hint = "apiVersion: anp.hypershift.openshift.io/v1alpha1, kind: RenderConfig";
  return { value: undefined, findings: [findingInFile("render-config-invalid", file.file, { message, hint })] };
}
