import type { Exception } from '../cell.ts'
import { dialects } from '../neutral.ts'
import { answers, unsupported } from './unsupported.ts'

const docs = 'https://platform.claude.com/docs/en'
const create = `${docs}/api/messages/create`
const others = dialects.filter(each => each !== 'anthropic')

const noField = (features: string[], pattern: RegExp, more: object): Exception[] =>
  unsupported('anthropic', {
    ...{ features, pattern, source: create, why: 'Messages has no such field.' },
    ...more,
  })

/** Features that the Messages API cannot express. */
const lost: readonly Exception[] = [
  ...noField(['seed'], /seed/, { upstreamRequest: { seed: undefined } }),
  ...noField(['metadata'], /metadata|notes/, { upstreamRequest: { metadata: undefined } }),
  ...noField(['penalties'], /presence_?penalty|frequency_?penalty/i, {
    upstreamRequest: { presencePenalty: undefined, frequencyPenalty: undefined },
  }),
  ...noField(['n'], /: (n|others)$/, {
    upstreamRequest: { n: undefined },
    upstreamResponse: { others: undefined },
  }),
  ...noField(['logprobs'], /logprobs/, {
    upstreamRequest: { logprobs: undefined },
    upstreamResponse: { logprobs: undefined },
  }),
  ...noField(['json-object'], /response_format/, {
    upstreamRequest: { format: undefined },
    why: 'Messages has JSON after a schema only.',
    source: `${docs}/build-with-claude/structured-outputs`,
  }),
  ...unsupported('anthropic', {
    features: ['audio-in'],
    pattern: /audio/,
    upstreamRequest: { turns: [{ from: 'user', pieces: [{ text: 'What is said?' }] }] },
    why: 'Messages reads text, images, PDF and plain text.',
    source: `${docs}/api/messages/create`,
  }),
  ...unsupported('anthropic', {
    features: ['audio-out'],
    pattern: /audio|modalities/,
    upstreamRequest: { audioOutput: undefined },
    upstreamResponse: { pieces: [{ text: 'Hello.' }] },
    cannotAnswer: true,
    why: 'Messages answers in words only.',
    source: `${docs}/about-claude/models/overview`,
  }),
]

/** Features that Messages encodes in another way. */
const otherwise: readonly Exception[] = [
  {
    features: ['tools-parallel', 'tools-one-by-one'],
    callers: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { choice: 'auto' },
    why: 'The switch is a field of `tool_choice`, so a choice is said with it.',
    source: `${docs}/agents-and-tools/tool-use/parallel-tool-use`,
  },
  {
    features: ['tools-one-by-one'],
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { choice: 'auto' },
    why: 'The switch is a field of `tool_choice`, so a choice is said with it.',
    source: `${docs}/agents-and-tools/tool-use/parallel-tool-use`,
  },
  {
    features: ['tools-parallel'],
    callers: others,
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { parallel: undefined },
    why: 'Several calls at once are what the vendor does unless it is told not to.',
    source: `${docs}/agents-and-tools/tool-use/parallel-tool-use`,
  },
  {
    features: [
      ...['effort', 'thoughts', 'thought-goes-back'],
      ...['proof-goes-back', 'proof-before-tool', 'hidden-goes-back'],
      ...['proof-moves', 'call-moves'],
    ],
    callers: others,
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { adaptive: true },
    why: 'Effort is a word for models that think as much as they find right, and they are asked to.',
    source: `${docs}/build-with-claude/effort`,
  },
  {
    features: ['thoughts'],
    callers: ['anthropic'],
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { adaptive: true },
    why: 'What is shown of the thoughts is a field of `thinking`, which says its kind too.',
    source: `${docs}/build-with-claude/adaptive-thinking`,
  },
  {
    features: ['tier'],
    callers: others,
    upstreams: ['anthropic'],
    how: 'otherwise',
    upstreamRequest: { tier: 'auto' },
    why: '`auto` uses priority capacity wherever the account has it; there is no stronger word.',
    source: `${docs}/api/service-tiers`,
  },
  {
    features: ['stop-filter'],
    callers: ['anthropic'],
    how: 'otherwise',
    received: { finish: 'refusal', pieces: [{ refusal: 'Hello there!' }] },
    why: '`refusal` is the one word for an answer that was stopped.',
    source: `${docs}/build-with-claude/handling-stop-reasons`,
  },
  {
    features: ['refusal'],
    callers: ['openai-chat'],
    upstreams: ['anthropic'],
    how: 'otherwise',
    received: { pieces: [{ text: 'I cannot help with that.' }], finish: 'filter' },
    why: 'The vendor says that it was a refusal when the words are told already: then the reason says it.',
    source: `${docs}/build-with-claude/handling-stop-reasons`,
  },
  {
    features: ['image-out'],
    callers: ['anthropic'],
    upstreams: others,
    how: 'note',
    pattern: /: media image/,
    received: { pieces: [{ text: 'A cat:' }] },
    why: 'Messages has blocks for images in requests only, and clients refuse an answer with one.',
    source: create,
  },
  answers('anthropic', {
    features: ['image-out'],
    upstreamResponse: { pieces: [{ text: 'I cannot draw.' }] },
    why: 'The vendor answers in words only.',
    source: `${docs}/about-claude/models/overview`,
  }),
]

export const anthropicExceptions: readonly Exception[] = [...lost, ...otherwise]
