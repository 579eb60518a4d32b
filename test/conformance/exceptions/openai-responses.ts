import type { Exception } from '../cell.ts'
import { weather, weatherCall } from '../features/samples.ts'
import { dialects, type Turn } from '../neutral.ts'
import { answers, unsupported } from './unsupported.ts'

const own = 'openai-responses'
const docs = 'https://platform.openai.com/docs'
const create = `${docs}/api-reference/responses/create`
const others = dialects.filter(each => each !== own)

const noField = (feature: string, pattern: RegExp, more: object): Exception[] =>
  unsupported(own, {
    ...{ features: [feature], pattern, source: create, why: 'Responses has no such field.' },
    ...more,
  })

const failedTurns: Turn[] = [
  { from: 'user', pieces: [{ text: 'Weather in Paris, time in Tokyo?' }] },
  { from: 'model', pieces: [weatherCall] },
  {
    from: 'tool',
    pieces: [
      { result: 'call_Paris01', toolName: 'get_weather', pieces: [{ text: 'No such place.' }] },
    ],
  },
]

/** Features that the Responses API cannot express. */
const lost: readonly Exception[] = [
  ...noField('top-k', /top_k/, { upstreamRequest: { topK: undefined } }),
  ...noField('penalties', /(presence|frequency)_penalty/, {
    upstreamRequest: { presencePenalty: undefined, frequencyPenalty: undefined },
  }),
  ...noField('stop-sequences', /: stop(_sequences)?$/, { upstreamRequest: { stop: undefined } }),
  ...noField('seed', /seed/, { upstreamRequest: { seed: undefined } }),
  ...noField('n', /: (n|others)$/, {
    upstreamRequest: { n: undefined },
    upstreamResponse: { others: undefined },
  }),
  ...unsupported(own, {
    features: ['audio-out'],
    pattern: /audio|modalities/,
    upstreamRequest: { audioOutput: undefined },
    upstreamResponse: { pieces: [{ text: 'Hello.' }] },
    cannotAnswer: true,
    why: 'Responses answers in words and images; models that speak are asked in other dialects.',
    source: `${docs}/guides/audio`,
  }),
  ...unsupported(own, {
    features: ['tool-result-error'],
    pattern: /is_error/,
    upstreamRequest: { turns: failedTurns },
    why: 'The output of a call has no mark that it failed.',
    source: create,
  }),
  ...unsupported(own, {
    features: ['cache-marks'],
    pattern: /cache_?control/i,
    upstreamRequest: {
      turns: [{ from: 'user', pieces: [{ text: 'A long story.Sum it up.' }] }],
      tools: [weather],
    },
    why: 'The vendor remembers prompts by itself; marks of its own have other times, and only its newest models know them.',
    source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  }),
  {
    features: ['budget'],
    callers: others,
    upstreams: [own],
    how: 'note',
    pattern: /reasoning\.budget/,
    upstreamRequest: { budget: undefined, effort: 'low' },
    why: 'Reasoning is measured in words only: the budget becomes the nearest one.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['budget'],
    callers: [own],
    upstreams: others,
    how: 'note',
    pattern: /max_tokens/,
    upstreamRequest: { budget: undefined },
    why: 'Reasoning is measured in words only.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['budget'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'note',
    pattern: /max_tokens/,
    // The operator's share of the longest answer.
    upstreamRequest: { budget: 0.8 * 9_000 },
    why: 'Reasoning is measured in words only: a model that needs a budget gets the share that the operator has set.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['adaptive'],
    callers: [own],
    upstreams: others,
    how: 'note',
    pattern: /thinking/,
    upstreamRequest: { adaptive: undefined },
    why: 'Models of the vendor think as much as they find right, so there is no word to ask for it.',
    source: `${docs}/guides/reasoning`,
  },
  ...[
    { callers: [own], upstreams: ['anthropic'] } as const,
    { callers: ['anthropic'], upstreams: [own] } as const,
  ].map(
    (route): Exception => ({
      ...{ features: ['server-tool', 'server-tool-block'], ...route, how: 'note' },
      pattern: /web_search/,
      upstreamRequest: { tools: undefined },
      upstreamResponse: { pieces: [{ text: 'It rains.' }] },
      why: 'A vendor’s own tool is a word of its own dialect.',
      source: `${docs}/guides/tools-web-search`,
    }),
  ),
]

/** Features that Responses encodes in another way. */
const otherwise: readonly Exception[] = [
  {
    features: ['adaptive'],
    callers: others,
    upstreams: [own],
    how: 'otherwise',
    upstreamRequest: { adaptive: undefined },
    why: 'Models of the vendor think as much as they find right unless they are told otherwise.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['thoughts'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { thoughtsShown: undefined },
    why: 'This model shows its thoughts unless it is told otherwise.',
    source: 'https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking',
  },
  {
    features: ['refusal'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'otherwise',
    received: { pieces: [{ text: 'I cannot help with that.' }], finish: 'filter' },
    why: 'The vendor says that it was a refusal when the words are told already: then the reason says it.',
    source: 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
  },
  answers(own, {
    features: ['stop-sequence'],
    upstreamResponse: { finish: 'stop', sequence: undefined },
    why: 'There are no stop sequences, so none is met.',
    source: `${docs}/api-reference/responses/object`,
  }),
  {
    features: ['stop-sequence'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'note',
    pattern: /stop_sequence/,
    received: { finish: 'stop', sequence: undefined },
    why: 'The sequence that was met cannot be told.',
    source: `${docs}/api-reference/responses/object`,
  },
]

export const openaiResponsesExceptions: readonly Exception[] = [...otherwise, ...lost]
