import { findModel, type KnownModel, unlistedModels } from '@hub/dialects'
import { providers } from '@hub/providers'
import { describe, expect, it } from 'vitest'
import type { Channel } from '../src/relay/channels/channel.ts'
import { contextOf, outputOf } from '../src/relay/channels/model-sizes.ts'

// A model that two forms offer counts twice, as for the prices.
const offers = providers.flatMap(({ defaultModels }) => defaultModels)
const unlisted = new Map(unlistedModels.map(({ model, reason }) => [model, reason]))

/** A model that answers text with text has a context, and every other one what it reads and makes. */
const isDescribed = (row: KnownModel | undefined): boolean =>
  row !== undefined &&
  (row.context !== undefined || !row.inputs.includes('text') || !row.outputs.includes('text'))

it('at least 190 of the models that the channel forms offer have sizes and modalities', () => {
  const without = offers.filter(model => !isDescribed(findModel(model)))
  const counts = {
    offers: offers.length,
    described: offers.length - without.length,
    without: new Set(without).size,
  }
  console.info(`Models that the forms offer: ${JSON.stringify(counts)}`)
  expect(without.filter(model => !unlisted.has(model))).toEqual([])
  expect([...unlisted.keys()].filter(model => !without.includes(model))).toEqual([])
  expect(counts.described).toBeGreaterThanOrEqual(190)
})

type Pages = Record<string, { page: string; bounds: Record<string, number> }>

/**
 * The longest answer of a request without a limit, as the pages of the vendors have it. Where a page names no longest
 * answer, a call is bounded by the context or by 131,072 tokens, whichever is less.
 */
const pages: Pages = {
  OpenAI: {
    page: 'https://developers.openai.com/api/docs/models',
    bounds: {
      ...{ 'gpt-6.2-sol': 128_000, 'gpt-6-luna': 128_000, 'gpt-5.4-mini': 128_000 },
      ...{ 'gpt-5-pro': 272_000, 'gpt-5-chat-latest': 16_384, 'gpt-4.1': 32_768 },
      ...{ 'gpt-4o-mini': 16_384, 'gpt-4-turbo': 4_096, 'gpt-4': 8_192, 'o4-mini': 100_000 },
    },
  },
  Anthropic: {
    page: 'https://platform.claude.com/docs/en/about-claude/models/overview',
    bounds: {
      ...{ 'claude-fable-5-2': 128_000, 'claude-fable-5-1': 128_000, 'claude-opus-5-5': 128_000 },
      ...{ 'claude-opus-5': 128_000, 'claude-sonnet-5-5': 128_000, 'claude-sonnet-5': 128_000 },
      ...{ 'claude-haiku-5-5': 128_000, 'claude-haiku-4-5': 64_000, 'claude-sonnet-4-5': 64_000 },
      'claude-opus-4-8': 128_000,
    },
  },
  Google: {
    page: 'https://ai.google.dev/gemini-api/docs/models',
    bounds: {
      ...{ 'gemini-3.8-flash': 65_536, 'gemini-3.7-flash': 65_536, 'gemini-3.6-flash': 65_536 },
      ...{ 'gemini-3.5-flash': 65_536, 'gemini-3.5-flash-lite': 65_536 },
      ...{ 'gemini-3.1-pro-preview': 65_536, 'gemini-2.5-flash-lite': 65_536 },
      ...{ 'gemini-3-pro-image': 32_768, 'gemini-2.5-flash-preview-tts': 16_384 },
      'gemini-2.0-flash': 8_192,
    },
  },
  xAI: {
    page: 'https://docs.x.ai/developers/models',
    bounds: {
      ...{ 'grok-4.7': 131_072, 'grok-4.6': 131_072, 'grok-4.5': 131_072, 'grok-4.3': 131_072 },
      ...{ 'grok-4.20-0309-reasoning': 131_072, 'grok-4.20-0309-non-reasoning': 131_072 },
      ...{ 'grok-4.20-multi-agent-0309': 131_072, 'grok-build-0.1': 131_072 },
      ...{ 'grok-code-fast-1': 131_072, 'grok-3': 131_072 },
    },
  },
  Alibaba: {
    page: 'https://www.alibabacloud.com/help/en/model-studio/models',
    bounds: {
      ...{ 'qwen3.8-max': 131_072, 'qwen3.8-flash': 131_072, 'qwen3.7-max': 65_536 },
      ...{ 'qwen3.7-plus': 65_536, 'qwen3.6-plus': 65_536, 'qwen3-max': 65_536 },
      ...{
        'qwen3-coder-plus': 65_536,
        'qwen-flash': 32_768,
        'qwen-max': 8_192,
        'qwen-turbo': 16_384,
      },
    },
  },
  Zhipu: {
    page: 'https://docs.z.ai/guides/overview/overview',
    bounds: {
      ...{ 'glm-5.3': 131_072, 'glm-5.3-flash': 131_072, 'glm-5.2': 131_072, 'glm-5.1': 131_072 },
      ...{ 'glm-5': 131_072, 'glm-4.7': 131_072, 'glm-4.7-flash': 131_072, 'glm-4.6': 131_072 },
      ...{ 'glm-4.5': 98_304, 'glm-4.5v': 16_384 },
    },
  },
  Moonshot: {
    page: 'https://platform.kimi.ai/docs/pricing/chat',
    bounds: {
      ...{ 'kimi-k3.1-pro': 131_072, 'kimi-k3.1-pro-highspeed': 131_072, 'kimi-k3': 131_072 },
      ...{ 'kimi-k2.7-code': 262_144, 'kimi-k2.6': 262_144, 'kimi-k2.5': 262_144 },
      ...{ 'kimi-k2-thinking': 262_144, 'moonshot-v1-8k': 8_192, 'moonshot-v1-32k': 32_768 },
      'moonshot-v1-128k': 131_072,
    },
  },
  Mistral: {
    page: 'https://docs.mistral.ai/models',
    bounds: {
      ...{ 'mistral-large-4': 131_072, 'mistral-large-latest': 131_072 },
      ...{ 'mistral-medium-latest': 131_072, 'mistral-small-latest': 131_072 },
      ...{ 'ministral-14b-2512': 131_072, 'ministral-8b-2512': 131_072 },
      ...{ 'ministral-3b-2512': 131_072, 'magistral-medium-latest': 131_072 },
      ...{ 'codestral-latest': 128_000, 'devstral-latest': 131_072 },
    },
  },
  DeepSeek: {
    page: 'https://api-docs.deepseek.com/quick_start/pricing',
    bounds: { 'deepseek-flash': 393_216, 'deepseek-v4-pro': 393_216, 'deepseek-chat': 8_192 },
  },
}

/** A channel whose operator gave no sizes. */
const plain = { contextSizes: new Map(), mapping: new Map() } as unknown as Channel

describe.each(Object.entries(pages))(
  'the bound of a call without a limit, of %s',
  (vendor, { page, bounds }) => {
    it.each(Object.entries(bounds))(`of %s is %i tokens, as on ${page}`, (model, bound) => {
      expect(outputOf(new Map(), plain, model)).toBe(bound)
      expect(findModel(model)).toMatchObject({ vendor })
      expect(new URL(findModel(model)!.source).host).toBe(new URL(page).host)
    })
  },
)

it('the figures of an operator win over the vendor’s figures, field by field', () => {
  const known = new Map([['gpt-4o', { context: 0, output: 9_000 }]])
  expect([outputOf(known, plain, 'gpt-4o'), contextOf(known, plain, 'gpt-4o')]).toEqual([
    9_000, 128_000,
  ])
  const shorter = new Map([['gpt-4o', { context: 5_000, output: 0 }]])
  expect([outputOf(shorter, plain, 'gpt-4o'), contextOf(shorter, plain, 'gpt-4o')]).toEqual([
    5_000, 5_000,
  ])
  const own = { ...plain, contextSizes: new Map([['gpt-4*', 7_000]]) }
  expect([outputOf(shorter, own, 'gpt-4o'), contextOf(shorter, own, 'gpt-4o')]).toEqual([
    7_000, 7_000,
  ])
})

it('the model that the channel asks its upstream for counts', () => {
  const mapped = { ...plain, mapping: new Map([['cheap', '+claude-haiku-4-5']]) }
  expect([outputOf(new Map(), mapped, 'cheap'), contextOf(new Map(), mapped, 'cheap')]).toEqual([
    64_000, 200_000,
  ])
})
