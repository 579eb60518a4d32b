import { models } from './models.ts'

export type DemoChannel = {
  name: string
  type: number
  priority: number
  weight?: number
  group?: string
  tag?: string
  /** Only these models of the vendor; absent: all of them. */
  models?: readonly string[]
  keys?: number
  /** Its vendor refuses every call since its key was withdrawn. */
  isFailing?: true
  /** Switched off by hand. */
  isDisabled?: true
  /** The balance at the vendor in USD, and the days for which it lasts. */
  balance?: { left: number; days: number }
  other?: string
  plugin?: Record<string, Record<string, unknown>>
}

const everyone = 'default,team,vip,trial'

export const channels: readonly DemoChannel[] = [
  {
    name: 'OpenAI · production',
    type: 1,
    priority: 20,
    weight: 3,
    tag: 'production',
    keys: 3,
    balance: { left: 842.17, days: 31 },
  },
  {
    name: 'OpenAI · reserve',
    type: 1,
    priority: 10,
    tag: 'production',
    balance: { left: 196.4, days: 140 },
  },
  { name: 'Anthropic · production', type: 14, priority: 20, tag: 'production', keys: 2 },
  {
    name: 'Anthropic · agents',
    type: 14,
    priority: 20,
    tag: 'agents',
    models: ['claude-sonnet-4-6', 'claude-opus-4-6'],
    group: 'team,vip',
  },
  { name: 'Google AI Studio', type: 25, priority: 20, tag: 'production' },
  { name: 'Gemini · reserve', type: 25, priority: 5, models: ['gemini-2.5-flash'] },
  {
    name: 'DeepSeek',
    type: 28,
    priority: 20,
    tag: 'production',
    balance: { left: 118.06, days: 17 },
  },
  { name: 'Alibaba Cloud Model Studio', type: 17, priority: 20, tag: 'asia' },
  { name: 'Moonshot', type: 29, priority: 20, tag: 'asia', balance: { left: 61.92, days: 2 } },
  { name: 'Zhipu', type: 16, priority: 20, tag: 'asia' },
  { name: 'Mistral · Paris', type: 30, priority: 20, tag: 'europe' },
  { name: 'xAI', type: 56, priority: 20 },
  { name: 'Groq', type: 31, priority: 20, isFailing: true },
  { name: 'Groq · second account', type: 31, priority: 10 },
  { name: 'Cohere', type: 36, priority: 20, models: ['command-a-03-2025'] },
  { name: 'Jina', type: 47, priority: 20 },
  { name: 'MiniMax', type: 27, priority: 20, tag: 'asia', isDisabled: true },
  { name: 'Kling · videos', type: 53, priority: 20, models: ['kling-v2-1', 'kling-v3'] },
  { name: 'Suno · songs', type: 41, priority: 20, models: ['chirp-v3-5', 'suno_lyrics'] },
  {
    name: 'Midjourney · studio',
    type: 34,
    priority: 20,
    models: ['mj_imagine', 'mj_turbo_imagine', 'mj_upscale'],
  },
  {
    name: 'Wholesale gateway',
    type: 67,
    priority: 1,
    tag: 'reserve',
    models: ['gpt-5.4-mini', 'claude-sonnet-4-6', 'grok-4.6'],
    plugin: { watch: { models: 'propose' }, upstream: { group: 'vip' } },
  },
]

/** The models and the groups that the gateway among the vendors shows. */
export const wholesale = {
  models: ['gpt-5.4-mini', 'gpt-5.4', 'claude-sonnet-4-6', 'claude-opus-4-6', 'nova-2-preview'],
  ratioBefore: '0.16',
  ratios: { default: 1, vip: 0.24, bulk: 0.12 },
}

export const groupsOf = ({ group = everyone }: DemoChannel): string => group

export const modelsOf = ({ type, models: own }: DemoChannel): readonly string[] =>
  own ?? models.filter(({ owner }) => owner === type).map(({ name }) => name)

export const keysOf = ({ name, keys = 1 }: DemoChannel): string =>
  Array.from({ length: keys }, (_, n) => `sk-demo-${slugOf(name)}-${n + 1}-not-a-secret`).join('\n')

/** The part of its address by which the vendor knows the channel. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
