/** What a vendor accepts of tools. It refuses the whole request for any other. */
export type ToolRules = {
  names: RegExp
}

/**
 * "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64."
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const commonToolRules: ToolRules = { names: /^[a-zA-Z0-9_-]{1,64}$/ }

/** "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'" https://github.com/home-assistant/core/issues/147760 */
export const claudeToolRules: ToolRules = { names: /^[a-zA-Z0-9_-]{1,128}$/ }

/**
 * "Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes
 * (-), with a maximum length of 64." https://github.com/google-gemini/gemini-cli/issues/6704
 */
export const geminiToolRules: ToolRules = { names: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/ }
