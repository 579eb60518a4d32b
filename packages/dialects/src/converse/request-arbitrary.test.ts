import fc from 'fast-check'
import { expect, it } from 'vitest'
import { requestArbitrary } from './request-arbitrary.ts'

const requests = fc.sample(requestArbitrary, 500)
const messages = requests.flatMap(each => each.messages)
const parts = messages.flatMap(each => each.parts)

const distinct = (values: readonly unknown[]) =>
  [...new Set(values)]
    .filter(each => each !== undefined)
    .map(String)
    .toSorted()

// A kind of request that is no longer generated would silently stop being tested.
it('generates every kind of message, part and parameter', () => {
  expect(distinct(messages.map(each => each.role))).toEqual([
    ...['assistant', 'developer', 'system', 'tool', 'user'],
  ])
  expect(distinct(parts.map(each => each.type))).toEqual([
    ...['media', 'text', 'thinking', 'tool-call', 'tool-result'],
  ])
  const thoughts = parts.flatMap(each => (each.type === 'thinking' ? [each] : []))
  expect(distinct(thoughts.map(each => each.redacted))).toEqual(['true'])
  expect(distinct(thoughts.map(each => each.signature?.dialect))).toEqual(['converse'])
  const ids = parts.flatMap(each => (each.type === 'tool-call' ? [each.id] : []))
  expect(ids.every(id => /^call_[^_]/.test(id))).toBe(true)
  expect(distinct(requests.map(each => each.model))).toEqual([
    ...['arn:x', 'openai.gpt-oss-x', 'qwen.qwen3-x', 'us.amazon.nova-2-lite-v1:0'],
  ])
  expect(distinct(requests.map(each => each.reasoning?.effort))).toEqual(['high', 'low', 'none'])
  expect(distinct(requests.map(each => each.tier))).toEqual(['default', 'flex', 'priority'])
  expect(distinct(requests.map(each => JSON.stringify(each.format)))).toEqual([
    '{"type":"schema","schema":{"type":"object"}}',
  ])
})

it('generates no empty list', () => {
  const lists = requests.flatMap(({ messages, tools, stop }) => [
    ...[messages, tools ?? [0], stop ?? [0]],
    ...messages.map(each => each.parts),
  ])
  expect(Math.min(...lists.map(each => each.length))).toBe(1)
})
