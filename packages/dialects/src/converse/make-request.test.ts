import { expect, it } from 'vitest'
import { diceOf } from '../generate/dice.ts'
import { makeRequest } from './make-request.ts'

const requests = Array.from({ length: 300 }, (_, at) => makeRequest(diceOf(at + 1)))
const messages = requests.flatMap(each => each.messages)
const parts = messages.flatMap(each => each.parts)

const seen = (values: readonly unknown[]) =>
  [...new Set(values)]
    .filter(each => each !== undefined)
    .map(String)
    .toSorted()

// A law that no longer meets a kind of request would hold for it without having looked.
it('the laws meet all that can be said', () => {
  expect(seen(messages.map(each => each.role))).toEqual([
    ...['assistant', 'developer', 'system', 'tool', 'user'],
  ])
  expect(seen(parts.map(each => each.type))).toEqual([
    ...['media', 'text', 'thinking', 'tool-call', 'tool-result'],
  ])
  const thoughts = parts.flatMap(each => (each.type === 'thinking' ? [each] : []))
  expect(seen(thoughts.map(each => each.redacted))).toEqual(['true'])
  expect(seen(thoughts.map(each => each.signature?.dialect))).toEqual(['converse'])
  const ids = parts.flatMap(each => (each.type === 'tool-call' ? [each.id] : []))
  expect(ids.every(id => /^call_[^_]/.test(id))).toBe(true)
  expect(seen(requests.map(each => each.model))).toEqual([
    ...['arn:x', 'openai.gpt-oss-x', 'qwen.qwen3-x', 'us.amazon.nova-2-lite-v1:0'],
  ])
  expect(seen(requests.map(each => each.reasoning?.effort))).toEqual(['high', 'low', 'none'])
  expect(seen(requests.map(each => each.tier))).toEqual(['default', 'flex', 'priority'])
  expect(seen(requests.map(each => JSON.stringify(each.format)))).toEqual([
    '{"type":"schema","schema":{"type":"object"}}',
  ])
})

it('none of their lists is empty', () => {
  const lists = requests.flatMap(({ messages, tools, stop }) => [
    ...[messages, tools ?? [0], stop ?? [0]],
    ...messages.map(each => each.parts),
  ])
  expect(Math.min(...lists.map(each => each.length))).toBe(1)
})
