import type { Feature } from '../cell.ts'
import { type NeutralResponse, results, type ThinkingPiece, user } from '../neutral.ts'
import { hello, weather, weatherCall } from './samples.ts'

const group = 'Structure and reasoning'
const turns = [user('Is 7 prime?')]
/** With every letter that base64 has: what a vendor signed must come back byte for byte. */
export const signature =
  'Eo8BCkYIBxgCKkDsigned+thought/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ=='
export const thought: ThinkingPiece = { thinking: 'Seven has no divisors.', signature }
const schema = {
  type: 'object',
  properties: { prime: { type: 'boolean' } },
  required: ['prime'],
  additionalProperties: false,
}
const json: NeutralResponse = { pieces: [{ text: '{"prime":true}' }], finish: 'stop' }

export const thinking: readonly Feature[] = [
  {
    name: 'json-object',
    title: 'Any JSON object',
    group,
    request: { turns: [user('Answer in JSON: is 7 prime?')], format: 'json' },
    response: json,
  },
  {
    name: 'json-schema',
    title: 'JSON after a schema',
    group,
    request: { turns, format: { name: 'answer', schema } },
    response: json,
  },
  {
    name: 'effort',
    title: 'How hard the model thinks, in a word',
    group,
    request: { turns, effort: 'high', outputMax: 9_000 },
    response: hello,
  },
  {
    name: 'budget',
    title: 'How long the model thinks, in tokens',
    group,
    request: { turns, budget: 2_048, outputMax: 9_000 },
    response: hello,
    model: 'older',
  },
  {
    name: 'adaptive',
    title: 'The model thinks as much as it finds right',
    group,
    request: { turns, adaptive: true, outputMax: 9_000 },
    response: hello,
  },
  {
    name: 'thoughtless',
    title: 'The model does not think at all',
    group,
    request: { turns, thinkingDisabled: true },
    response: hello,
    model: 'older',
  },
  {
    name: 'thoughts',
    title: 'Thoughts are shown',
    group,
    request: { turns, effort: 'high', thoughtsShown: true, outputMax: 9_000 },
    response: {
      pieces: [{ thinking: 'Seven has no divisors.' }, { text: 'Yes.' }],
      finish: 'stop',
    },
  },
  {
    name: 'thought-goes-back',
    title: 'A thought without a signature is sent back',
    group,
    request: { turns, effort: 'high', outputMax: 9_000 },
    response: {
      pieces: [{ thinking: 'Seven has no divisors.' }, { text: 'Yes.' }],
      finish: 'stop',
    },
    next: { turns: [user('And 8?')], response: hello },
  },
  {
    name: 'proof-goes-back',
    title: 'A signed thought is sent back byte for byte',
    group,
    request: { turns, effort: 'high', outputMax: 9_000 },
    response: { pieces: [thought, { text: 'Yes.' }], finish: 'stop' },
    next: { turns: [user('And 8?')], response: hello },
  },
  {
    name: 'proof-before-tool',
    title: 'A signed thought, a call, and its result',
    group,
    request: { turns, effort: 'high', tools: [weather], outputMax: 9_000 },
    response: { pieces: [thought, weatherCall], finish: 'tools' },
    next: {
      turns: [
        results({ result: 'call_Paris01', toolName: 'get_weather', pieces: [{ text: 'Sunny' }] }),
      ],
      response: hello,
    },
  },
  {
    name: 'proof-moves',
    title: 'A signed thought, and the next turn goes to another vendor',
    group,
    request: { turns, effort: 'high', outputMax: 9_000 },
    response: { pieces: [thought, { text: 'Yes.' }], finish: 'stop' },
    next: { turns: [user('And 8?')], response: hello },
    operation: 'move',
  },
  {
    name: 'call-moves',
    title: 'A signed thought and a call, whose result goes to another vendor',
    group,
    request: { turns, effort: 'high', tools: [weather], outputMax: 9_000 },
    response: { pieces: [thought, weatherCall], finish: 'tools' },
    next: {
      turns: [
        results({ result: 'call_Paris01', toolName: 'get_weather', pieces: [{ text: 'Sunny' }] }),
      ],
      response: hello,
    },
    operation: 'move',
  },
  {
    name: 'hidden-goes-back',
    title: 'A thought that is only shown encrypted, byte for byte',
    group,
    request: { turns, effort: 'high', outputMax: 9_000 },
    response: {
      pieces: [{ thinking: '', signature, hidden: true }, { text: 'Yes.' }],
      finish: 'stop',
    },
    next: { turns: [user('And 8?')], response: hello },
  },
]
