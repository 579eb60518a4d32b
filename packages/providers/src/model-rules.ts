import { type ModelRule, type RulesOfModel, rulesOfModel } from '@hub/dialects'
import { anthropicRules } from './anthropic/model-rules.ts'
import { bedrockRules } from './bedrock/model-rules.ts'
import { cohereRules } from './cohere/model-rules.ts'
import { deepseekRules } from './deepseek/model-rules.ts'
import type { Endpoint } from './define.ts'
import { geminiRules } from './gemini/model-rules.ts'
import { groqRules } from './groq/model-rules.ts'
import { mistralRules } from './mistral/model-rules.ts'
import { moonshotRules } from './moonshot/model-rules.ts'
import { openaiRules } from './openai/model-rules.ts'
import { qwenRules } from './qwen/model-rules.ts'
import { xaiRules } from './xai/model-rules.ts'
import { zhipuRules } from './zhipu/model-rules.ts'

/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const openaiReference =
  'https://developers.openai.com/api/reference/resources/responses/methods/create'

/**
 * Rules at endpoints of vendors without documented ones: an id within OpenAI's limits is within those of others too.
 * Moonshot needs its own ids of calls back, such as `functions.look:0`.
 */
export const commonRules: readonly ModelRule[] = [
  {
    kind: 'lengths',
    user: 256,
    safetyId: 256,
    dialect: 'anthropic',
    source: 'https://platform.claude.com/docs/en/api/messages#metadata',
    date: earlier,
  },
  ...(['openai-chat', 'openai-responses'] as const).flatMap((dialect): ModelRule[] => [
    {
      kind: 'lengths',
      user: 64,
      safetyId: 64,
      cacheKey: 64,
      dialect,
      source: openaiReference,
      date: earlier,
    },
    {
      kind: 'metadata',
      pairs: 16,
      key: 64,
      value: 512,
      dialect,
      source: openaiReference,
      date: earlier,
    },
  ]),
  {
    kind: 'stops',
    max: 5,
    dialect: 'gemini',
    source: 'https://github.com/continuedev/continue/issues/2702',
    date: earlier,
  },
  {
    // Only models of OpenAI's have tools that take text: https://developers.openai.com/api/docs/guides/function-calling
    kind: 'function-tools',
    dialect: 'openai-chat',
    models: /^(?!.*(gpt-|codex|(^|\/)o\d))/,
    source: 'https://github.com/vm0-ai/vm0/issues/28274',
    date: '2026-11-28',
  },
  {
    kind: 'tool-names',
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: earlier,
  },
]

/** The tables by vendor, as `docs/model-rules.md` lists them. */
export const ruleTables: Readonly<Record<string, readonly ModelRule[]>> = {
  openai: openaiRules,
  anthropic: anthropicRules,
  bedrock: bedrockRules.filter(each => !anthropicRules.includes(each)),
  gemini: geminiRules,
  deepseek: deepseekRules,
  moonshot: moonshotRules,
  mistral: mistralRules,
  qwen: qwenRules,
  zhipu: zhipuRules,
  xai: xaiRules,
  groq: groqRules,
  cohere: cohereRules,
  'every other vendor': commonRules,
}

/** A gateway keeps the rules of the vendors whose models it serves. Rules of an address hold there only. */
const familyRules: readonly ModelRule[] = Object.values(ruleTables)
  .flat()
  .filter(rule => rule.models !== undefined)

/** The rules for a model at an endpoint: the vendor's own, else those of the vendor whose model it is. */
export const modelRulesOf = (
  { modelRules, dialect }: Pick<Endpoint, 'modelRules' | 'dialect'>,
  model: string,
): RulesOfModel => rulesOfModel([...(modelRules ?? familyRules), ...commonRules], model, dialect)

/** Names and ids of tools that the vendor itself documents. They are checked in requests that pass through too. */
export const ownToolRules = (
  { modelRules = [], dialect }: Pick<Endpoint, 'modelRules' | 'dialect'>,
  model: string,
): Pick<RulesOfModel, 'tool-names' | 'call-ids'> => rulesOfModel(modelRules, model, dialect)

/** Rules of the vendor for messages. They are kept in requests that pass through too. */
export const ownMessageRules = (
  { modelRules = [], dialect }: Pick<Endpoint, 'modelRules' | 'dialect'>,
  model: string,
): Pick<RulesOfModel, 'empty-messages' | 'assistant-after-tool'> =>
  rulesOfModel(modelRules, model, dialect)

/** Ids of other vendors break a rule of the vendor's, so that every request with tools is checked. */
export const hasNarrowCallIds = ({ modelRules }: Pick<Endpoint, 'modelRules'>): boolean =>
  modelRules?.some(each => each.kind === 'call-ids' && each.isNarrow) === true

/** By the vendor's table, the model thinks unasked and its streams do not contain it. */
export const hidesThoughtsByDefault = (
  { modelRules }: Pick<Endpoint, 'modelRules'>,
  model: string,
): boolean => {
  const rule = modelRules?.find(each => each.kind === 'thinking' && each.models?.test(model))
  return rule?.kind === 'thinking' && rule.byDefault && rule.isHidden === true
}
