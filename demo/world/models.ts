import type { CallOperation } from '@hub/contract/call-operations'
export type DemoModel = {
  name: string
  /** The type of the vendor, which is the owner of the model too. */
  owner: number
  /** USD for a million tokens, or USD for one call. */
  input: number
  output: number
  perCall?: true
  /** How often it is called, by kind of user. */
  agent: number
  app: number
  chat: number
  /** Typical tokens, and milliseconds to the first token and for each token. */
  prompt: number
  completion: number
  firstMs: number
  tokenMs: number
  /** Agents find most of their prompt in the vendor's cache. */
  caches?: true
  reasons?: true
  operation?: CallOperation
}

const chat = { prompt: 1_800, completion: 420, firstMs: 520, tokenMs: 9 }
const agent = { prompt: 46_000, completion: 900, firstMs: 900, tokenMs: 13 }

/** Invented shares, real names; prices are those that vendors published, rounded. */
export const models: readonly DemoModel[] = [
  {
    name: 'claude-sonnet-4-6',
    owner: 14,
    input: 3,
    output: 15,
    agent: 34,
    app: 6,
    chat: 8,
    ...agent,
    caches: true,
  },
  {
    name: 'claude-opus-4-6',
    owner: 14,
    input: 5,
    output: 25,
    agent: 9,
    app: 1,
    chat: 2,
    ...agent,
    caches: true,
    reasons: true,
  },
  {
    name: 'claude-haiku-4-5',
    owner: 14,
    input: 1,
    output: 5,
    agent: 12,
    app: 8,
    chat: 3,
    ...chat,
    caches: true,
  },
  {
    name: 'gpt-5.5',
    owner: 1,
    input: 2,
    output: 12,
    agent: 12,
    app: 7,
    chat: 12,
    ...agent,
    caches: true,
    reasons: true,
  },
  {
    name: 'gpt-5.4',
    owner: 1,
    input: 1.25,
    output: 10,
    agent: 4,
    app: 6,
    chat: 8,
    ...chat,
    reasons: true,
  },
  { name: 'gpt-5.4-mini', owner: 1, input: 0.25, output: 2, agent: 3, app: 24, chat: 14, ...chat },
  {
    name: 'text-embedding-3-small',
    owner: 1,
    input: 0.02,
    output: 0,
    agent: 0,
    app: 14,
    chat: 0,
    prompt: 900,
    completion: 0,
    firstMs: 140,
    tokenMs: 0,
    operation: 'embeddings',
  },
  {
    name: 'gemini-3-pro',
    owner: 25,
    input: 2,
    output: 12,
    agent: 5,
    app: 4,
    chat: 6,
    ...chat,
    reasons: true,
  },
  {
    name: 'gemini-2.5-flash',
    owner: 25,
    input: 0.3,
    output: 2.5,
    agent: 2,
    app: 16,
    chat: 9,
    ...chat,
  },
  {
    name: 'gemini-2.5-flash-image',
    owner: 25,
    input: 0.3,
    output: 30,
    agent: 0,
    app: 2,
    chat: 3,
    prompt: 90,
    completion: 1_290,
    firstMs: 5_200,
    tokenMs: 1,
  },
  {
    name: 'deepseek-v4-pro',
    owner: 28,
    input: 0.55,
    output: 2.19,
    agent: 6,
    app: 8,
    chat: 8,
    ...chat,
    reasons: true,
  },
  {
    name: 'deepseek-flash',
    owner: 28,
    input: 0.28,
    output: 0.42,
    agent: 3,
    app: 14,
    chat: 8,
    ...chat,
  },
  {
    name: 'qwen3-coder-plus',
    owner: 17,
    input: 1,
    output: 5,
    agent: 6,
    app: 2,
    chat: 1,
    ...agent,
    caches: true,
  },
  { name: 'qwen3.6-plus', owner: 17, input: 0.4, output: 1.2, agent: 1, app: 6, chat: 4, ...chat },
  { name: 'kimi-k3', owner: 29, input: 0.6, output: 2.5, agent: 4, app: 3, chat: 4, ...agent },
  { name: 'glm-5.3', owner: 16, input: 0.6, output: 2.2, agent: 4, app: 2, chat: 3, ...chat },
  {
    name: 'mistral-medium-latest',
    owner: 30,
    input: 0.4,
    output: 2,
    agent: 0,
    app: 4,
    chat: 2,
    ...chat,
  },
  {
    name: 'grok-4.6',
    owner: 56,
    input: 3,
    output: 15,
    agent: 1,
    app: 2,
    chat: 3,
    ...chat,
    reasons: true,
  },
  {
    name: 'openai/gpt-oss-120b',
    owner: 31,
    input: 0.15,
    output: 0.6,
    agent: 1,
    app: 7,
    chat: 3,
    ...chat,
    firstMs: 210,
    tokenMs: 2,
  },
  {
    name: 'command-a-03-2025',
    owner: 36,
    input: 2.5,
    output: 10,
    agent: 0,
    app: 2,
    chat: 1,
    ...chat,
  },
  {
    name: 'jina-reranker-v3',
    owner: 47,
    input: 0.02,
    output: 0,
    agent: 0,
    app: 7,
    chat: 0,
    prompt: 2_600,
    completion: 0,
    firstMs: 180,
    tokenMs: 0,
    operation: 'rerank',
  },
  { name: 'MiniMax-M3', owner: 27, input: 0.3, output: 1.2, agent: 1, app: 2, chat: 2, ...chat },
]

/** Sold for less than its vendor asks: the price was forgotten when the vendor raised its own. */
export const belowCost = { name: 'kimi-k3', input: 0.15, output: 0.6 }

/** Tasks cost a fixed sum each, in USD. */
export const taskPrices: Readonly<Record<string, number>> = {
  'kling-v2-1': 0.28,
  'kling-v3': 0.42,
  'chirp-v3-5': 0.12,
  suno_lyrics: 0.01,
  mj_imagine: 0.08,
  mj_turbo_imagine: 0.14,
  mj_upscale: 0.03,
}
