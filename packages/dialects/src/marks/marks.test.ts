import { describe, expect, it } from 'vitest'
import { collectAnswer } from '../collect.ts'
import { type CallerDialectId, type ChatEvent, dialectOf, type Part } from '../index.ts'
import { eventMarker, markAnswer } from './answer.ts'
import { markCallId, markNeedles, unmarkCallId } from './mark.ts'
import { unmarkRequest } from './request.ts'

const mark = 'Mark1234'
const ids: readonly CallerDialectId[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']

const parts: readonly Part[] = [
  { type: 'thinking', text: 'Think', signature: { dialect: 'converse', text: 'c2ln' } },
  { type: 'text', text: 'Look', citations: [{ url: 'https://a.example', title: 'A' }] },
  { type: 'tool-call', id: 'functions.look:0', name: 'look', input: '{}' },
]

const answerWith = (list: readonly Part[]) => ({
  ...{ id: 'a', model: 'm' },
  choices: [{ parts: [...list], finish: { reason: 'tools' as const } }],
})

describe.each(ids)('for a caller of %s', from => {
  const marks = { mark, from, to: 'converse' as const }

  it('a signature of another vendor has the mark, and its own text when it is back', () => {
    const answer = markAnswer(answerWith(parts), marks)
    const [thought] = answer.choices[0]!.parts
    expect(thought).toMatchObject({ signature: { dialect: 'converse', text: `${mark}c2ln` } })
    const messages = [{ role: 'assistant' as const, parts: answer.choices[0]!.parts }]
    const back = unmarkRequest({ model: 'm', messages }, mark).messages[0]!.parts
    expect(back[0]).toEqual(parts[0])
    expect(back[2]).toEqual(parts[2])
  })

  it('an answer of the caller’s own vendor stays as it is', () => {
    const answer = answerWith(parts)
    expect(markAnswer(answer, { ...marks, to: from })).toBe(answer)
    const event: ChatEvent = { type: 'part', index: 0, part: parts[0]! }
    expect(eventMarker({ ...marks, to: from })(event)).toEqual([event])
  })

  it('a stream has the marks of a whole answer', () => {
    const bare: Part = { type: 'thinking', text: 'Think' }
    const list = [bare, ...parts.slice(1), bare]
    const events: ChatEvent[] = [
      { type: 'start', id: 'a', model: 'm' },
      ...list.map((part, index): ChatEvent => ({ type: 'part', index, part: { ...part } })),
      { type: 'finish', finish: { reason: 'tools' } },
      { type: 'end' },
    ]
    const markEvent = eventMarker(marks)
    const collected = collectAnswer(events.flatMap(each => markEvent(each)))
    expect(collected.choices).toEqual(markAnswer(answerWith(list), marks).choices)
  })
})

it('sources that Anthropic would verify have the mark in its field', () => {
  const marks = { mark, from: 'anthropic' as const, to: 'openai-responses' as const }
  const { body } = dialectOf('anthropic').encodeResponse(markAnswer(answerWith(parts), marks))
  const content = body.content as { citations?: object[] }[]
  expect(content.flatMap(each => each.citations ?? [])).toMatchObject([{ encrypted_index: mark }])
})

it('an id of a call that Anthropic refuses is replaced, and the vendor finds its own again', () => {
  const id = markCallId('functions.look:0', 'anthropic', mark)
  expect(id).toMatch(/^toolu_Mark1234[a-zA-Z0-9_-]+$/)
  expect(unmarkCallId(id, mark)).toBe('functions.look:0')
  expect(unmarkCallId(id, 'Other567')).toBe(id)
  expect(markCallId('toolu_1', 'anthropic', mark)).toBe('toolu_1')
  expect(markCallId('functions.look:0', 'gemini', mark)).toBe('functions.look:0')
})

it('the mark is found in the signatures of Gemini, which are base64', () => {
  for (const dialect of ['openai-chat', 'openai-responses', 'anthropic', 'converse']) {
    const text = Buffer.from(`${dialect}:${mark}c2ln`).toString('base64')
    expect(markNeedles(mark, 'gemini').some(each => text.includes(each))).toBe(true)
    expect(markNeedles('Other567', 'gemini').some(each => text.includes(each))).toBe(false)
  }
})
