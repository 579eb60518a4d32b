import type { Exception } from '../cell.ts'
import { audioBase64, pdf, pngBase64, weather, weatherCall } from '../features/samples.ts'
import { signature, thought } from '../features/thinking.ts'
import { dialects, type Piece, user } from '../neutral.ts'
import { answers, unsupported } from './unsupported.ts'

const docs = 'https://ai.google.dev/gemini-api/docs'
const api = 'https://ai.google.dev/api'
const create = `${api}/generate-content`
const others = dialects.filter(each => each !== 'gemini')

const noField = (features: string[], pattern: RegExp, more: object): Exception[] =>
  unsupported('gemini', {
    ...{ features, pattern, source: create, why: 'The API has no such field.' },
    ...more,
  })

const servers = ['server-tool', 'server-tool-block']
const unserved = {
  features: servers,
  how: 'note' as const,
  upstreamRequest: { tools: undefined },
  upstreamResponse: { pieces: [{ text: 'It rains.' }] },
  why: 'A vendor’s own tool is a word of its own dialect.',
  source: `${docs}/google-search`,
}

const untyped =
  'An address needs the exact type of the file, which the gateway learns by fetching it.'
const inference =
  'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference'

/** Features that the API cannot express. */
const lost: readonly Exception[] = [
  {
    features: ['image-url'],
    callers: others,
    upstreams: ['gemini'],
    how: 'otherwise',
    upstreamRequest: {
      turns: [user({ image: { mime: 'image/png', data: pngBase64 } }, 'What?')],
    },
    why: untyped,
    source: inference,
  },
  {
    features: ['file-url'],
    callers: ['openai-chat'],
    upstreams: ['gemini'],
    how: 'otherwise',
    upstreamRequest: {
      turns: [
        user({ file: { mime: 'application/pdf', data: pdf, name: 'paper.pdf' } }, 'Sum it up.'),
      ],
    },
    why: untyped,
    source: inference,
  },
  ...noField(['tool-strict'], /strict/, {
    upstreamRequest: {
      turns: [user('Weather in Paris, time in Tokyo?')],
      tools: [weather],
    },
    source: `${api}/caching#FunctionDeclaration`,
  }),
  ...noField(['tools-one-by-one'], /parallel_tool_calls/, {
    upstreamRequest: { parallel: undefined },
  }),
  ...noField(['user'], /: user$/, { upstreamRequest: { user: undefined } }),
  ...noField(['metadata'], /metadata|notes/, { upstreamRequest: { metadata: undefined } }),
  ...noField(['cache-marks'], /cache_?control/i, {
    upstreamRequest: { turns: [user('A long story.Sum it up.')], tools: [weather] },
    why: 'The vendor remembers prompts by itself, or under the name of a cache that was made before.',
    source: `${docs}/caching`,
  }),
  {
    features: ['tools-parallel'],
    callers: ['gemini'],
    upstreams: others,
    how: 'note',
    pattern: /parallel_tool_calls/,
    upstreamRequest: { parallel: undefined },
    why: 'The API has no such field.',
    source: create,
  },
  {
    features: ['stop-sequence'],
    callers: ['gemini'],
    upstreams: ['anthropic'],
    how: 'note',
    pattern: /stop_sequence/,
    received: { finish: 'stop', sequence: undefined },
    why: 'The sequence that was met cannot be told.',
    source: `${create}#FinishReason`,
  },
  { ...unserved, callers: others, upstreams: ['gemini'], pattern: /tools\.|web_?search/i },
  { ...unserved, callers: ['gemini'], upstreams: others, pattern: /tools\.|googleSearch/ },
  {
    features: ['citations'],
    callers: others,
    upstreams: ['gemini'],
    how: 'note',
    pattern: /groundingMetadata/,
    why: 'The sources arrive; what the vendor searched for has no word elsewhere.',
    source: `${docs}/google-search`,
  },
  {
    features: ['logprobs'],
    callers: ['openai-chat', 'openai-responses'],
    upstreams: ['gemini'],
    how: 'note',
    pattern: /logprobsResult/,
    why: 'The probabilities arrive; the vendor’s number of each token has no word elsewhere.',
    source: `${create}#LogprobsResult`,
  },
  {
    features: ['audio-out'],
    callers: ['gemini'],
    upstreams: ['openai-chat'],
    how: 'note',
    pattern: /transcript/,
    received: { pieces: [{ audio: { mime: 'audio/pcm', data: audioBase64 } }] },
    why: 'A sound comes without what is said in it.',
    source: `${docs}/speech-generation`,
  },
]

const signs = {
  why: 'The vendor signs the last words of an answer, or its first call, not the thoughts.',
  source: `${docs}/thought-signatures`,
}
const bare = { thinking: thought.thinking }

/** Features that the API encodes in another way. */
const otherwise: readonly Exception[] = [
  answers('gemini', {
    ...signs,
    features: ['proof-goes-back', 'proof-moves'],
    upstreamResponse: { pieces: [bare, { text: 'Yes.', signature }] },
  }),
  answers('gemini', {
    ...signs,
    features: ['proof-before-tool', 'call-moves'],
    upstreamResponse: { pieces: [bare, { ...weatherCall, signature } as Piece] },
  }),
  answers('gemini', {
    ...signs,
    features: ['hidden-goes-back'],
    upstreamResponse: { pieces: [{ text: 'Yes.', signature }] },
  }),
  {
    features: ['tools-parallel'],
    callers: others,
    upstreams: ['gemini'],
    how: 'otherwise',
    upstreamRequest: { parallel: undefined },
    why: 'Several calls at once are what the vendor does.',
    source: `${docs}/function-calling`,
  },
  {
    features: ['tools-one-by-one'],
    callers: ['gemini'],
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { choice: undefined },
    why: 'Nobody asked for a choice.',
    source: `${docs}/function-calling`,
  },
  ...[{ callers: ['gemini' as const] }, { upstreams: ['gemini' as const] }].map(
    (side): Exception => ({
      ...side,
      features: ['tool-pieces'],
      how: 'otherwise',
      received: { inputPieces: 2 },
      why: 'Each call is told whole.',
      source: `${docs}/function-calling`,
    }),
  ),
  answers('gemini', {
    features: ['refusal'],
    upstreamResponse: { pieces: [{ text: 'I cannot help with that.' }] },
    why: 'A refusal in words is a text like others.',
    source: create,
  }),
  {
    features: ['refusal'],
    callers: ['gemini'],
    upstreams: others,
    how: 'otherwise',
    received: { pieces: [{ text: 'I cannot help with that.' }], finish: 'filter' },
    why: 'There is no part for refusals: the reason says that it was one.',
    source: `${create}#FinishReason`,
  },
  answers('gemini', {
    features: ['stop-sequence'],
    upstreamResponse: { finish: 'stop', sequence: undefined },
    why: '`STOP` is the one word for a whole answer and one that a sequence ended.',
    source: `${create}#FinishReason`,
  }),
  ...[{ callers: ['gemini' as const] }, { upstreams: ['gemini' as const] }].map(
    (side): Exception => ({
      ...side,
      features: ['usage-cache-write'],
      how: 'otherwise',
      received: { usage: { input: 900, cacheRead: 64, output: 9 } },
      why: 'What is written to a cache is counted with the prompt.',
      source: `${create}#UsageMetadata`,
    }),
  ),
  {
    features: ['audio-out'],
    callers: ['openai-chat', 'gemini'],
    upstreams: ['gemini'],
    how: 'otherwise',
    upstreamResponse: { pieces: [{ audio: { mime: 'audio/pcm', data: audioBase64 } }] },
    why: 'A sound comes without what is said in it.',
    source: `${docs}/speech-generation`,
  },
  {
    features: ['budget'],
    callers: ['anthropic'],
    upstreams: ['gemini'],
    how: 'otherwise',
    upstreamRequest: { thoughtsShown: true },
    why: 'Who thinks by a budget shows the thoughts there, and is asked to here.',
    source: 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
  },
  {
    features: ['adaptive'],
    callers: ['openai-chat', 'anthropic'],
    upstreams: ['gemini'],
    how: 'otherwise',
    upstreamRequest: { adaptive: undefined, thoughtsShown: true },
    why: 'Models that think by levels find the right one by themselves; what they think is shown.',
    source: `${docs}/thinking`,
  },
  {
    features: ['thoughts'],
    callers: ['gemini'],
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { thoughtsShown: undefined },
    why: 'Thoughts are shown unless it is said that they must not be.',
    source: 'https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking',
  },
]

export const geminiExceptions: readonly Exception[] = [...lost, ...otherwise]
