import type { MappedType } from '../new-api/channel-types.ts'

const custom = (baseUrl: string): MappedType => ({ type: 8, baseUrl })

/** The channel type by the prefix of `litellm_params.model`: https://docs.litellm.ai/docs/providers */
const types: Readonly<Record<string, MappedType>> = {
  openai: { type: 1 },
  'text-completion-openai': { type: 1 },
  azure: { type: 3 },
  anthropic: { type: 14 },
  gemini: { type: 25 },
  vertex_ai: { type: 42 },
  bedrock: { type: 32 },
  mistral: { type: 30 },
  deepseek: { type: 28 },
  groq: { type: 31 },
  cohere: { type: 36 },
  cohere_chat: { type: 36 },
  openrouter: { type: 20 },
  xai: { type: 56 },
  ollama: { type: 39 },
  ollama_chat: { type: 39 },
  moonshot: { type: 29 },
  minimax: { type: 27 },
  databricks: { type: 54 },
  replicate: { type: 52 },
  jina_ai: { type: 47 },
  hosted_vllm: custom(''),
  openai_like: custom(''),
  custom_openai: custom(''),
  lm_studio: custom(''),
  litellm_proxy: { type: 67 },
  together_ai: custom('https://api.together.xyz'),
  fireworks_ai: custom('https://api.fireworks.ai/inference'),
  nvidia_nim: custom('https://integrate.api.nvidia.com'),
  cerebras: custom('https://api.cerebras.ai'),
  sambanova: custom('https://api.sambanova.ai'),
}

/** Models that LiteLLM knows without a prefix. */
const unprefixed: readonly [RegExp, string][] = [
  [/^(gpt-|chatgpt-|o\d|text-embedding-|dall-e|whisper|tts-|omni-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^command/, 'cohere'],
]

/** The provider of a model of LiteLLM, and the name of the model at its vendor. */
export const providerOfModel = (
  model: string,
  given: string,
): { provider: string; name: string; mapped: MappedType } => {
  const [prefix, ...rest] = model.split('/')
  const isPrefixed = rest.length > 0 && (given === '' || given === prefix)
  const inferred = unprefixed.find(([names]) => names.test(model))?.[1] ?? ''
  const provider = given || (isPrefixed ? prefix! : inferred)
  const mapped = types[provider] ?? { unknown: provider ? `the provider ${provider}` : model }
  return { provider, name: isPrefixed ? rest.join('/') : model, mapped }
}
