// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { noSettings } from './settings.ts'
import { loadChat, saveChat } from './storage.ts'
import { messagesFor, type Turn } from './turn.ts'

afterEach(() => sessionStorage.clear())

const turn = (id: number, imageCharacters = 0, state: 'done' | 'running' = 'done'): Turn => ({
  ...{ id, prompt: `Question ${id}`, lostImages: 0 },
  images: imageCharacters
    ? [{ id, name: 'a.png', type: 'image/png', data: 'x'.repeat(imageCharacters) }]
    : [],
  answers: [
    {
      ...{ column: 0, model: 'gpt-x', dialect: 'openai-chat', text: `Answer ${id}`, state },
      ...{ reasoning: '', toolCalls: [] },
    },
  ],
})
const settings = { ...noSettings, temperature: '0.5' }

it('keeps conversation and parameters for the same user only', () => {
  saveChat(1, { settings, turns: [turn(1), turn(2, 0, 'running')] })
  expect(loadChat(1)).toMatchObject({
    settings,
    turns: [{ answers: [{ state: 'done' }] }, { answers: [{ state: 'stopped' }] }],
  })
  expect(loadChat(2)).toEqual({ settings: noSettings, turns: [] })
  expect(sessionStorage.length).toBe(0)
})

it('keeps the newest pictures up to the bound and counts the others', () => {
  saveChat(1, { settings, turns: [turn(1, 1_500_000), turn(2, 1_500_000)] })
  expect(loadChat(1).turns.map(each => [each.images.length, each.lostImages])).toEqual([
    [0, 1],
    [1, 0],
  ])
})

it('ignores what it cannot read', () => {
  for (const text of ['{', '1', '{"userId":1}']) {
    sessionStorage.setItem('playground', text)
    expect(loadChat(1).turns).toEqual([])
  }
})

it('each model continues its own answers', () => {
  const both = turn(1)
  const second = { ...both.answers[0]!, column: 1, text: 'Other' }
  const turns = [
    { ...both, answers: [...both.answers, second] },
    { ...turn(2), answers: [] },
  ]
  const texts = (column: number) =>
    messagesFor(turns, column, { prompt: 'Now?', images: [] }).map(each => each.text)
  expect(texts(0)).toEqual(['Question 1', 'Answer 1', 'Now?'])
  expect(texts(1)).toEqual(['Question 1', 'Other', 'Now?'])
})
