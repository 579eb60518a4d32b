import type { Exception } from '../cell.ts'
import { type Dialect, dialects, type Piece, type Turn } from '../facts.ts'
import { inParis, weather } from '../features/samples.ts'
import { proof, thought } from '../features/thinking.ts'
import { answers, lacks } from './lacks.ts'

const own = 'openai-responses'
const docs = 'https://platform.openai.com/docs'
const create = `${docs}/api-reference/responses/create`
const others = dialects.filter(each => each !== own)

const noField = (feature: string, says: RegExp, more: object): Exception[] =>
  lacks(own, {
    ...{ features: [feature], says, source: create, why: 'Responses has no such field.' },
    ...more,
  })

const failedTurns: Turn[] = [
  { from: 'user', pieces: [{ text: 'Weather in Paris, time in Tokyo?' }] },
  { from: 'model', pieces: [inParis] },
  {
    from: 'tool',
    pieces: [{ result: 'call_Paris01', of: 'get_weather', pieces: [{ text: 'No such place.' }] }],
  },
]

/** What the Responses API has no words for. */
const lost: readonly Exception[] = [
  ...noField('top-k', /top_k/, { asked: { topK: undefined } }),
  ...noField('penalties', /(presence|frequency)_penalty/, {
    asked: { presencePenalty: undefined, frequencyPenalty: undefined },
  }),
  ...noField('stop-sequences', /: stop(_sequences)?$/, { asked: { stop: undefined } }),
  ...noField('seed', /seed/, { asked: { seed: undefined } }),
  ...noField('n', /: (n|others)$/, {
    asked: { n: undefined },
    answered: { others: undefined },
  }),
  ...lacks(own, {
    features: ['audio-out'],
    says: /audio|modalities/,
    asked: { speaks: undefined },
    answered: { pieces: [{ text: 'Hello.' }] },
    isMute: true,
    why: 'Responses answers in words and images; models that speak are asked in other dialects.',
    source: `${docs}/guides/audio`,
  }),
  ...lacks(own, {
    features: ['tool-result-error'],
    says: /is_error/,
    asked: { turns: failedTurns },
    why: 'The output of a call has no mark that it failed.',
    source: create,
  }),
  ...lacks(own, {
    features: ['cache-marks'],
    says: /cache_?control/i,
    asked: {
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
    says: /reasoning\.budget/,
    asked: { budget: undefined, effort: 'low' },
    why: 'Reasoning is measured in words only: the budget becomes the nearest one.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['budget'],
    callers: [own],
    upstreams: others,
    how: 'note',
    says: /max_tokens/,
    asked: { budget: undefined },
    why: 'Reasoning is measured in words only.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['budget'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'note',
    says: /max_tokens/,
    // The operator's share of the longest answer.
    asked: { budget: 0.8 * 9_000 },
    why: 'Reasoning is measured in words only: a model that needs a budget gets the share that the operator has set.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['adaptive'],
    callers: [own],
    upstreams: others,
    how: 'note',
    says: /thinking/,
    asked: { adaptive: undefined },
    why: 'Models of the vendor think as much as they find right, so there is no word to ask for it.',
    source: `${docs}/guides/reasoning`,
  },
  ...[
    { callers: [own], upstreams: ['anthropic'] } as const,
    { callers: ['anthropic'], upstreams: [own] } as const,
  ].map(
    (way): Exception => ({
      ...{ features: ['server-tool', 'server-tool-block'], ...way, how: 'note' },
      says: /web_search/,
      asked: { tools: undefined },
      answered: { pieces: [{ text: 'It rains.' }] },
      why: 'A vendor’s own tool is a word of its own dialect.',
      source: `${docs}/guides/tools-web-search`,
    }),
  ),
]

const sealing = (caller: Dialect, upstream: Dialect): Exception[] => {
  const sealed = `${upstream}:${proof}`
  const [shown, hidden]: Piece[] = [
    { ...thought, proof: sealed },
    { thinking: '', hidden: true, proof: sealed },
  ]
  const heard: [string, (Piece | undefined)[]][] = [
    ['proof-goes-back', [shown, { text: 'Yes.' }]],
    ['proof-before-tool', [shown, inParis]],
    ['hidden-goes-back', [hidden, { text: 'Yes.' }]],
  ]
  return heard.map(([feature, pieces]) => ({
    ...{ features: [feature], callers: [caller], upstreams: [upstream], how: 'otherwise' },
    heard: { pieces: pieces.filter(piece => piece !== undefined) },
    why: 'A foreign proof goes under the name of its dialect, and comes back to its vendor byte for byte.',
    source: `${docs}/guides/reasoning#encrypted-reasoning-items`,
  }))
}

/** What is told in another way. */
const otherwise: readonly Exception[] = [
  ...sealing('openai-responses', 'anthropic'),
  ...sealing('openai-responses', 'openai-chat'),
  ...sealing('anthropic', 'openai-responses'),
  {
    features: ['adaptive'],
    callers: others,
    upstreams: [own],
    how: 'otherwise',
    asked: { adaptive: undefined },
    why: 'Models of the vendor think as much as they find right unless they are told otherwise.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['thoughts'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'otherwise',
    asked: { showsThoughts: undefined },
    why: 'This model shows its thoughts unless it is told otherwise.',
    source: 'https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking',
  },
  {
    features: ['refusal'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'otherwise',
    heard: { pieces: [{ text: 'I cannot help with that.' }], finish: 'filter' },
    why: 'The vendor says that it was a refusal when the words are told already: then the reason says it.',
    source: 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
  },
  answers(own, {
    features: ['stop-sequence'],
    answered: { finish: 'stop', sequence: undefined },
    why: 'There are no stop sequences, so none is met.',
    source: `${docs}/api-reference/responses/object`,
  }),
  {
    features: ['stop-sequence'],
    callers: [own],
    upstreams: ['anthropic'],
    how: 'note',
    says: /stop_sequence/,
    heard: { finish: 'stop', sequence: undefined },
    why: 'The sequence that was met cannot be told.',
    source: `${docs}/api-reference/responses/object`,
  },
]

export const ofOpenaiResponses: readonly Exception[] = [...otherwise, ...lost]
