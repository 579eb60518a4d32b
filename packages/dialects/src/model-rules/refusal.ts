import type { CallerDialectId } from '../dialect-id.ts'
import type { RefusedBy } from './apply.ts'

/** The fields of each refusal by the names that callers of a dialect know. */
const fields: Readonly<Record<RefusedBy, Readonly<Record<CallerDialectId, string>>>> = {
  'forced-tools': {
    'openai-chat': 'tool_choice',
    'openai-responses': 'tool_choice',
    anthropic: 'tool_choice',
    gemini: 'toolConfig.functionCallingConfig.mode',
  },
  'thinking-off': {
    'openai-chat': 'reasoning_effort',
    'openai-responses': 'reasoning.effort',
    anthropic: 'output_config.effort',
    gemini: 'generationConfig.thinkingConfig',
  },
  prefill: {
    'openai-chat': 'messages',
    'openai-responses': 'input',
    anthropic: 'messages',
    gemini: 'contents',
  },
}

const sentences: Readonly<Record<RefusedBy, (field: string, model: string) => string>> = {
  'forced-tools': (field, model) =>
    `'${field}' cannot force a tool: the model '${model}' does not accept that. Leave the choice to the model, or use another model.`,
  'thinking-off': (field, model) =>
    `'${field}' cannot turn thinking off: the model '${model}' always thinks. Ask for its lowest effort, or use another model.`,
  prefill: (field, model) =>
    `'${field}' must not end with the model's own words: the model '${model}' does not continue them. End with a message of the user, or use another model.`,
}

/** The sentence that a caller reads where its request cannot keep a rule of the model. */
export const ruleRefusal = (refused: RefusedBy, caller: CallerDialectId, model: string): string =>
  sentences[refused](fields[refused][caller], model)
