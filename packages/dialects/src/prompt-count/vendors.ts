/** Whose rules count a prompt: how many tokens a message adds, how tools are written, and what a picture is. */
export type CountingVendor = 'openai' | 'anthropic' | 'gemini'

/** The model's name decides first, since gateways offer every vendor's models in OpenAI's dialect. */
export const countingVendorOf = (format: string, model: string): CountingVendor => {
  if (/claude/i.test(model)) return 'anthropic'
  if (/gemini|gemma/i.test(model)) return 'gemini'
  if (format === 'anthropic') return 'anthropic'
  return format === 'gemini' ? 'gemini' : 'openai'
}

type Overhead = {
  /** Tokens around each message, its role among them, the system's, and once for the answer to come. */
  message: number
  system: number
  once: number
  /** The vendor's own instructions for the use of tools. */
  tools: number
  tool: number
  /** An object with properties, each of them, an enumeration, and each of its values. */
  object: number
  property: number
  choices: number
  choice: number
}

// OpenAI: https://developers.openai.com/cookbook/examples/how_to_count_tokens_with_tiktoken
// Claude: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing, and token-counting beside it.
// Gemini: https://ai.google.dev/api/tokens
export const overheadOf: Readonly<Record<CountingVendor, Overhead>> = {
  openai: {
    ...{ message: 4, system: 4, once: 3 },
    ...{ tools: 12, tool: 7, object: 3, property: 3, choices: -3, choice: 3 },
  },
  anthropic: {
    ...{ message: 4, system: 0, once: 1 },
    ...{ tools: 346, tool: 6, object: 0, property: 4, choices: 0, choice: 2 },
  },
  gemini: {
    ...{ message: 1, system: 0, once: 0 },
    ...{ tools: 0, tool: 8, object: 0, property: 3, choices: 0, choice: 1 },
  },
}

/** Tokens of the model's own tokenizer for one of o200k, until calls of the model show it. */
export const usualRatioOf = (model: string): number =>
  usualRatios.find(([models]) => models.test(model))?.[1] ?? 1

const usualRatios: readonly (readonly [models: RegExp, ratio: number])[] = [
  [/claude/i, 1.27],
  [/mistral|mixtral|magistral|codestral|devstral|ministral/i, 1.15],
]

/** OpenAI's vocabulary for the model; other vendors' are closer to the newer one. */
export const encodingOf = (model: string): 'o200k' | 'cl100k' =>
  /gpt-3\.5|gpt-4(?![o.\d])|text-embedding-(3|ada)/.test(model) ? 'cl100k' : 'o200k'
