import { isOpenaiModel } from './field-limits.ts'

/** Names of tools and ids of calls that a vendor accepts. It refuses the whole request for any other. */
export type ToolRules = {
  names: RegExp
  callIds: RegExp
  /** Ids of other vendors break the rule, so every request with tools is decoded to check it. */
  isNarrow?: true
}

/**
 * "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64."
 * https://platform.openai.com/docs/api-reference/chat/create
 */
const commonNames = /^[a-zA-Z0-9_-]{1,64}$/

/** Rules that hold for vendors without documented ones. Moonshot needs its own ids back, such as `functions.look:0`. */
export const commonToolRules: ToolRules = { names: commonNames, callIds: /./s }

/** "Expected a string with maximum length 40" https://github.com/microsoft/autogen/issues/6377 */
export const openaiToolRules: ToolRules = { names: commonNames, callIds: /^.{1,40}$/s }

/** The rules of the vendor whose model it is, at an endpoint that documents none. */
export const toolRulesOf = (model: string): ToolRules =>
  isOpenaiModel(model) ? openaiToolRules : commonToolRules

/**
 * "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" https://github.com/maximhq/bifrost/issues/5097
 * "name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'" https://github.com/home-assistant/core/issues/147760
 */
export const claudeToolRules: ToolRules = {
  names: /^[a-zA-Z0-9_-]{1,128}$/,
  callIds: /^[a-zA-Z0-9_-]+$/,
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
export const bedrockToolRules: ToolRules = { names: commonNames, callIds: commonNames }

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9." https://github.com/karthink/gptel/issues/1203 */
export const mistralToolRules: ToolRules = {
  names: commonNames,
  callIds: /^[a-zA-Z0-9]{9}$/,
  isNarrow: true,
}

/**
 * "Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes
 * (-), with a maximum length of 64." https://github.com/google-gemini/gemini-cli/issues/6704
 */
export const geminiToolRules: ToolRules = {
  names: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  callIds: /./s,
}
