import type { ModelRule } from '@hub/dialects'

const read = '2026-11-28'
/** These pages were read for an earlier release. */
const earlier = '2026-11-27'
const reference = 'https://developers.openai.com/api/reference/resources/responses/methods/create'
const guide = 'https://developers.openai.com/api/docs/guides/deployment-checklist'
const sol6 = 'https://developers.openai.com/api/docs/models/gpt-6-sol'
const effortGuide =
  'https://dev.to/aihubmix/choosing-a-reasoning-effort-for-gpt-61-sol-low-to-max-4326'

const latest = ['low', 'medium', 'high', 'xhigh', 'max']

/** The models that OpenAI serves alone, with any name before them that a gateway adds. */
const own = /(^|[/:.])(o\d(?!\d)|gpt-\d)/
const always = /(^|[/:.])(gpt-6-astra|gpt-6\.[1-9][\w.-]*sol)/
/** Models of ChatGPT that think with one effort. */
const chatGpt = /(^|[/:.])gpt-5\.\d-chat/
const chatGptSource = 'https://github.com/Laisky/one-api/issues/285'
const laterPro = /(^|[/:.])gpt-5\.\d-pro(?!\d)/
const laterProSource = 'https://github.com/CherryHQ/cherry-studio/issues/11920'
/** Models that never think. */
const plain = /(^|[/:.])(gpt-(3\.5|4)|chatgpt|gpt-5[\w.-]*chat)/
const reasoning = /(^|[/:.])(o\d(?!\d)|gpt-5(?!\d)(?![\w.-]*chat)|gpt-([6-9]|[1-9]\d)(?!\d))/

/** A rule for the accepted efforts. The first that matches counts, so special models stand first. */
const efforts = (models: RegExp, accepted: readonly string[], source: string): ModelRule => ({
  kind: 'efforts',
  models,
  accepted,
  source,
  date: read,
})

export const openaiRules: readonly ModelRule[] = [
  {
    kind: 'lengths',
    // `prompt_cache_key`: https://github.com/theopenco/llmgateway/pull/3110
    user: 64,
    safetyId: 64,
    cacheKey: 64,
    models: own,
    source: reference,
    date: earlier,
  },
  {
    kind: 'metadata',
    pairs: 16,
    key: 64,
    value: 512,
    models: own,
    source: reference,
    date: earlier,
  },
  {
    // "Invalid 'stop': array too long. Expected an array with maximum length 4"
    kind: 'stops',
    max: 4,
    models: own,
    source: 'https://github.com/continuedev/continue/issues/2461',
    date: earlier,
  },
  {
    // "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64."
    kind: 'tool-names',
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    models: own,
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    date: earlier,
  },
  {
    // "Expected a string with maximum length 40"
    kind: 'call-ids',
    pattern: /^.{1,40}$/s,
    models: own,
    source: 'https://github.com/microsoft/autogen/issues/6377',
    date: earlier,
  },
  {
    kind: 'output-min',
    min: 16,
    dialect: 'openai-responses',
    models: own,
    source: 'https://github.com/vectorize-io/hindsight/issues/58',
    date: earlier,
  },
  efforts(always, latest, effortGuide),
  efforts(/(^|[/:.])gpt-([6-9]|[1-9]\d)(?!\d)/, ['none', ...latest], sol6),
  // "Supported values are: 'medium'."
  efforts(chatGpt, ['medium'], chatGptSource),
  efforts(laterPro, ['medium', 'high', 'xhigh'], laterProSource),
  {
    ...efforts(
      /(^|[/:.])gpt-5\.[6-9](?!\d)/,
      ['none', ...latest],
      'https://github.com/Wei-Shaw/sub2api/pull/3909',
    ),
    dialect: 'openai-responses',
  },
  // "Supported values are: 'none', 'low', 'medium', 'high', and 'xhigh'"
  efforts(
    /(^|[/:.])gpt-5\.[6-9](?!\d)/,
    ['none', 'low', 'medium', 'high', 'xhigh'],
    'https://github.com/mnfst/modelparams.dev/pull/236',
  ),
  efforts(/(^|[/:.])gpt-5-pro(?!\d)/, ['high'], 'https://github.com/anomalyco/opencode/pull/3474'),
  efforts(
    /(^|[/:.])gpt-5(-\d{4}|-mini|-nano|$)/,
    ['minimal', 'low', 'medium', 'high'],
    'https://github.com/QuantumNous/new-api/pull/1525',
  ),
  // "requests with xhigh work for gpt-5.1-codex-max and fail for other models"
  efforts(
    /(^|[/:.])gpt-5\.1-codex-max/,
    ['low', 'medium', 'high', 'xhigh'],
    'https://github.com/vercel/ai/pull/11056',
  ),
  efforts(
    /(^|[/:.])gpt-5\.1-codex-mini/,
    ['medium', 'high'],
    'https://github.com/router-for-me/CLIProxyAPI/pull/249',
  ),
  // "Supported values are: 'low', 'medium', and 'high'."
  efforts(
    /(^|[/:.])gpt-5(\.1)?-codex/,
    ['low', 'medium', 'high'],
    'https://github.com/openai/codex/issues/6647',
  ),
  efforts(
    /(^|[/:.])gpt-5\.1(?!\d)/,
    ['none', 'low', 'medium', 'high'],
    'https://github.com/anomalyco/opencode/issues/4451',
  ),
  efforts(
    /(^|[/:.])gpt-(5(\.\d)?-codex)(?!\d)/,
    ['low', 'medium', 'high', 'xhigh'],
    'https://github.com/RayBytes/ChatMock/pull/101',
  ),
  efforts(
    /(^|[/:.])gpt-5\.[2-5](?!\d)/,
    ['none', 'low', 'medium', 'high', 'xhigh'],
    'https://github.com/RayBytes/ChatMock/pull/101',
  ),
  efforts(
    /(^|[/:.])o\d(?!\d)/,
    ['low', 'medium', 'high'],
    'https://docs.rs/openai-tools/3.0.0/openai_tools/responses/request/enum.ReasoningEffort.html',
  ),
  // "gpt-5 and o-series models only"
  efforts(plain, [], reference),
  {
    kind: 'thinking',
    byDefault: true,
    isHidden: true,
    models: always,
    source: effortGuide,
    date: read,
  },
  {
    kind: 'thinking',
    byDefault: true,
    isHidden: true,
    models: chatGpt,
    source: chatGptSource,
    date: read,
  },
  {
    kind: 'thinking',
    byDefault: true,
    isHidden: true,
    models: laterPro,
    source: laterProSource,
    date: read,
  },
  {
    kind: 'thinking',
    byDefault: true,
    isHidden: true,
    models: /(^|[/:.])(o\d(?!\d)|gpt-5(-\d{4}|-mini|-nano|$)|gpt-5-pro|gpt-5[\w.]*-codex)/,
    source: 'https://github.com/QuantumNous/new-api/pull/1525',
    date: read,
  },
  {
    kind: 'thinking',
    byDefault: false,
    off: 'effort-none',
    models: /(^|[/:.])gpt-5\.[1-4](?!\d)/,
    // Each model's default: https://github.com/BerriAI/litellm-docs/pull/1064
    source: 'https://github.com/BerriAI/litellm-docs/pull/1064',
    date: earlier,
  },
  {
    kind: 'thinking',
    byDefault: true,
    off: 'effort-none',
    isHidden: true,
    models: reasoning,
    source: 'https://github.com/BerriAI/litellm-docs/pull/1064',
    date: earlier,
  },
  {
    kind: 'sampling',
    fields: ['temperature', 'topP', 'logprobs'],
    while: 'thinking',
    models: reasoning,
    source: guide,
    date: read,
  },
]

/** At OpenAI's and Azure's own endpoints a deployment may have any name, so the rules of all models hold for each. */
export const openaiEndpointRules: readonly ModelRule[] = openaiRules.map(rule => {
  if (rule.models !== own) return rule
  const { models, ...rest } = rule
  return rest
})
