import type { Feature } from '../cell.ts'
import { results, type Says, type Thought, user } from '../facts.ts'
import { hello, inParis, weather } from './samples.ts'

const group = 'Structure and reasoning'
const turns = [user('Is 7 prime?')]
/** With every letter that base64 has: what a vendor signed must come back byte for byte. */
export const proof =
  'Eo8BCkYIBxgCKkDsigned+thought/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ=='
export const thought: Thought = { thinking: 'Seven has no divisors.', proof }
const schema = {
  type: 'object',
  properties: { prime: { type: 'boolean' } },
  required: ['prime'],
  additionalProperties: false,
}
const json: Says = { pieces: [{ text: '{"prime":true}' }], finish: 'stop' }

export const thinking: readonly Feature[] = [
  {
    name: 'json-object',
    title: 'Any JSON object',
    group,
    asks: { turns: [user('Answer in JSON: is 7 prime?')], format: 'json' },
    says: json,
  },
  {
    name: 'json-schema',
    title: 'JSON after a schema',
    group,
    asks: { turns, format: { name: 'answer', schema } },
    says: json,
  },
  {
    name: 'effort',
    title: 'How hard the model thinks, in a word',
    group,
    asks: { turns, effort: 'high', outputMax: 9_000 },
    says: hello,
  },
  {
    name: 'budget',
    title: 'How long the model thinks, in tokens',
    group,
    asks: { turns, budget: 2_048, outputMax: 9_000 },
    says: hello,
    model: 'older',
  },
  {
    name: 'adaptive',
    title: 'The model thinks as much as it finds right',
    group,
    asks: { turns, adaptive: true, outputMax: 9_000 },
    says: hello,
  },
  {
    name: 'thoughtless',
    title: 'The model does not think at all',
    group,
    asks: { turns, thoughtless: true },
    says: hello,
    model: 'older',
  },
  {
    name: 'thoughts',
    title: 'Thoughts are shown',
    group,
    asks: { turns, effort: 'high', showsThoughts: true, outputMax: 9_000 },
    says: { pieces: [{ thinking: 'Seven has no divisors.' }, { text: 'Yes.' }], finish: 'stop' },
  },
  {
    name: 'proof-goes-back',
    title: 'A signed thought is sent back byte for byte',
    group,
    asks: { turns, effort: 'high', outputMax: 9_000 },
    says: { pieces: [thought, { text: 'Yes.' }], finish: 'stop' },
    next: { turns: [user('And 8?')], says: hello },
  },
  {
    name: 'proof-before-tool',
    title: 'A signed thought, a call, and its result',
    group,
    asks: { turns, effort: 'high', tools: [weather], outputMax: 9_000 },
    says: { pieces: [thought, inParis], finish: 'tools' },
    next: {
      turns: [results({ result: 'call_Paris01', of: 'get_weather', pieces: [{ text: 'Sunny' }] })],
      says: hello,
    },
  },
  {
    name: 'hidden-goes-back',
    title: 'A thought that is only shown encrypted, byte for byte',
    group,
    asks: { turns, effort: 'high', outputMax: 9_000 },
    says: { pieces: [{ thinking: '', proof, hidden: true }, { text: 'Yes.' }], finish: 'stop' },
    next: { turns: [user('And 8?')], says: hello },
  },
]
