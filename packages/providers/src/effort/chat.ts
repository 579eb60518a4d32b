import type { EffortLevel, Json } from '@hub/dialects'
import { openaiEffort } from './openai.ts'

/** The fields of a chat request, or why the model cannot have the effort. */
export type ChatEffort = Json | string

type Rule = {
  /** Absent: every model. */
  models?: RegExp
  fields(level: EffortLevel, model: string): ChatEffort
}

export const alwaysThinks = 'it always thinks'
const hasNoLevels = 'it has no levels of effort'

const isOff = (level: EffortLevel): boolean => level === 'off'

/** A model that always thinks, and takes no field about it. A level that it cannot have is refused. */
const fixed: Rule['fields'] = level => {
  if (isOff(level)) return alwaysThinks
  return level === 'on' ? {} : hasNoLevels
}

/** `thinking: {type}`: a switch, so that every level switches on. */
const byType =
  (on: 'enabled' | 'adaptive' = 'enabled'): Rule['fields'] =>
  level => ({ thinking: { type: isOff(level) ? 'disabled' : on } })

const budgets: Readonly<Partial<Record<EffortLevel, number>>> = {
  ...{ minimal: 1_024, low: 4_096, medium: 8_192, high: 24_576, xhigh: 32_768 },
}

const bySwitch: Rule['fields'] = level => ({ enable_thinking: !isOff(level) })

const byBudget: Rule['fields'] = level => {
  const budget = budgets[level]
  return { ...bySwitch(level, ''), ...(budget ? { thinking_budget: budget } : {}) } as Json
}

type Names = Partial<Record<EffortLevel, string>>

/** `reasoning_effort` with the vendor's own names. A level without a name is sent by its own. */
const byName =
  (names: Names): Rule['fields'] =>
  level => ({ reasoning_effort: names[level] ?? level })

const lowOrHigh: Names = { minimal: 'low', medium: 'high', xhigh: 'high' }
const standard: Names = { on: 'medium', off: 'none' }

/** As `byName` for a model that always thinks. */
const alwaysByName =
  (names: Names): Rule['fields'] =>
  level =>
    isOff(level) ? alwaysThinks : byName({ on: 'medium', ...names })(level, '')

/** Names of models that think whatever they are told, at every vendor. */
const thinkers =
  /(^|[/.-])(qwq|qvq|magistral|deepseek-r1|deepseek-reasoner)|-thinking($|-\d)|minimax-m[12](?!\d)/i

const thinkerRule: Rule = { models: thinkers, fields: fixed }

const openaiRule: Rule = {
  fields: (level, model) => {
    const effort = openaiEffort(level, model)
    if (typeof effort === 'object') return effort.refusal
    return effort === undefined ? {} : { reasoning_effort: effort }
  },
}

/** The fields of each vendor in the dialect of chat; those that are not named take OpenAI's. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  // https://api-docs.deepseek.com/guides/thinking_mode
  deepseek: [
    thinkerRule,
    {
      fields: level => ({
        ...(byType()(level, '') as Json),
        ...(budgets[level] ? { reasoning_effort: level === 'xhigh' ? 'max' : 'high' } : {}),
      }),
    },
  ],
  // https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode
  zhipu: [{ fields: byType() }],
  // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
  moonshot: [
    thinkerRule,
    {
      models: /kimi-k([3-9]|\d\d)/,
      fields: alwaysByName({ minimal: 'low', medium: 'high', on: 'high', xhigh: 'max' }),
    },
    { fields: byType() },
  ],
  // https://help.aliyun.com/zh/model-studio/deep-thinking
  qwen: [
    {
      models: thinkers,
      fields: level => (isOff(level) ? alwaysThinks : (byBudget(level, '') as Json)),
    },
    { fields: byBudget },
  ],
  // https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions
  siliconflow: [thinkerRule, { fields: byBudget }],
  // https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb
  qianfan: [thinkerRule, { fields: byBudget }],
  // https://cloud.tencent.com/document/product/1729/111007
  hunyuan: [thinkerRule, { fields: bySwitch }],
  // https://platform.minimax.io/docs/api-reference/text-openai-api
  minimax: [thinkerRule, { fields: byType('adaptive') }],
  // https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
  openrouter: [
    {
      fields: level => ({
        reasoning: level === 'on' ? { enabled: true } : { effort: isOff(level) ? 'none' : level },
      }),
    },
  ],
  // https://docs.x.ai/docs/guides/reasoning
  xai: [
    {
      models: /non-reasoning/,
      fields: level => (isOff(level) ? {} : 'it does not think'),
    },
    { models: /grok-3-mini/, fields: alwaysByName({ ...lowOrHigh, on: 'high' }) },
    { models: /grok-(4(?!\.)|4\.20(?!.*multi-agent)|code|build)/, fields: fixed },
    { models: /grok-[23]/, fields: level => (isOff(level) ? {} : 'it does not think') },
    { fields: byName({ ...standard, minimal: 'low', xhigh: 'high' }) },
  ],
  // https://console.groq.com/docs/reasoning
  groq: [
    { models: /gpt-oss/, fields: alwaysByName({ minimal: 'low', xhigh: 'high' }) },
    {
      models: /qwen/,
      fields: level => {
        if (level === 'on' || isOff(level))
          return { reasoning_effort: isOff(level) ? 'none' : 'default' }
        return hasNoLevels
      },
    },
    thinkerRule,
    { fields: byName(standard) },
  ],
  // https://docs.mistral.ai/capabilities/reasoning
  mistral: [
    thinkerRule,
    { fields: level => ({ reasoning_effort: isOff(level) ? 'none' : 'high' }) },
  ],
  // https://docs.ollama.com/api/openai-compatibility
  ollama: [
    thinkerRule,
    { models: /gpt-oss/, fields: alwaysByName({ minimal: 'low', xhigh: 'high' }) },
    { fields: byName({ ...standard, minimal: 'low', xhigh: 'high' }) },
  ],
}

export const chatEffort = (provider: string, level: EffortLevel, model: string): ChatEffort =>
  (rules[provider] ?? [openaiRule])
    .find(({ models }) => models?.test(model) ?? true)!
    .fields(level, model)
