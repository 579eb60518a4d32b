import { expect, it } from 'vitest'
import type { ChatAnswer, ChatRequest, Message, TextPart } from '../../canon.ts'
import { answerEvents } from '../../collect.ts'
import { openaiChat } from '../../openai-chat/index.ts'
import { gemini } from '../index.ts'

const read = (body: object): ChatRequest => {
  const result = gemini.decodeRequest(body, { model: 'm', stream: false })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (request: Partial<ChatRequest>) => {
  const { body, warnings } = gemini.encodeRequest({ model: 'm', messages: [], ...request })
  return { body, dropped: warnings.map(each => each.dropped) }
}
const chunk = (...parts: object[]) => ({ role: 'model', parts })
const user = { role: 'user', parts: [{ text: 'Go on.' }] }
const result = (id: string): Message => ({
  role: 'tool',
  parts: [{ type: 'tool-result', id, name: 'look', parts: [{ type: 'text', text: id }] }],
})

it('what answers several calls stands in one turn, wherever it came from', () => {
  const ask: Message = { role: 'user', parts: [{ type: 'text', text: 'Both.' }] }
  const { contents } = write({ messages: [ask, result('a'), result('b'), ask, result('c')] }).body
  expect(contents).toMatchObject([
    { role: 'user', parts: [{ text: 'Both.' }] },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'a' } }, { functionResponse: { id: 'b' } }],
    },
    { role: 'user', parts: [{ text: 'Both.' }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c' } }] },
  ])
})

it('a history that keeps chunks as turns is one answer, without empty words', () => {
  const signed = { text: '', thoughtSignature: 'c2ln' }
  const { messages } = read({
    contents: [
      user,
      ...[chunk({ text: 'Hm', thought: true }), chunk({ text: 'm.', thought: true })],
      ...[chunk({ text: 'Hel' }), chunk({ text: 'lo' }), chunk(signed), chunk({ text: '' })],
      ...[user, chunk({ text: 'One' })],
    ],
  })
  expect(messages.map(({ role, parts }) => [role, parts])).toEqual([
    ['user', [{ type: 'text', text: 'Go on.' }]],
    [
      'assistant',
      [
        { type: 'thinking', text: 'Hmm.' },
        { type: 'text', text: 'Hello' },
        { type: 'text', text: '', signature: { dialect: 'gemini', text: 'c2ln' } },
      ],
    ],
    ['user', [{ type: 'text', text: 'Go on.' }]],
    ['assistant', [{ type: 'text', text: 'One' }]],
  ])
})

it('a field that nobody knows keeps its name, and what is in it', () => {
  const ask = read({ contents: [], generation_config: { top_k: 4 }, new_field: { in_it: 1 } })
  expect(ask).toMatchObject({ topK: 4, unknownFields: { fields: { new_field: { in_it: 1 } } } })
})

it('the name of a voice goes over, and the one form of its sound', () => {
  const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } }
  const ask = read({
    contents: [],
    generationConfig: { responseModalities: ['AUDIO'], speechConfig },
  })
  const { body, warnings } = openaiChat.encodeRequest(ask)
  expect(body).toMatchObject({ audio: { voice: 'Kore', format: 'pcm16' } })
  expect(warnings).toEqual([])
  expect(write(ask)).toMatchObject({ body: { generationConfig: { speechConfig } }, dropped: [] })
  expect(write({ audio: { voice: 'Kore', format: 'mp3' } }).dropped).toEqual(['audio format'])
  const more = { ...speechConfig, languageCode: 'de' }
  expect(
    write(read({ contents: [], generationConfig: { speechConfig: more } })).body,
  ).toMatchObject({ generationConfig: { speechConfig: more } })
})

it.each([
  ['standard', 'default', 'standard'],
  ['priority', 'priority', 'priority'],
  ['SERVICE_TIER_FLEX', 'flex', 'flex'],
  ['unspecified', undefined, undefined],
])('a tier %s is %s elsewhere', (encoded, tier, back) => {
  const ask = read({ contents: [], serviceTier: encoded })
  expect(ask.tier).toBe(tier)
  expect(write(ask).body.serviceTier).toBe(back)
})

it('a tier that the vendor has no word for is noted; `auto` is what it does anyway', () => {
  expect(write({ tier: 'scale' })).toMatchObject({ dropped: ['service_tier'] })
  const { body, dropped } = write({ tier: 'auto' })
  expect(['serviceTier' in body, dropped]).toEqual([false, []])
})

const answer = (text: TextPart, tier?: string): ChatAnswer => ({
  id: 'r',
  model: 'm',
  ...(tier === undefined ? {} : { tier }),
  choices: [{ parts: [text], finish: { reason: 'stop' } }],
})
/** The encoded answer, whole and as the frames of a stream. */
const encodeBoth = (encoded: ChatAnswer) => {
  const encoder = gemini.encodeEvents()
  const frames = [...answerEvents(encoded)].map(event => encoder.push(event)).join('')
  return [JSON.stringify(gemini.encodeResponse(encoded).body), frames]
}

it('the tier that was used stands among the figures', () => {
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 1, serviceTier: 'priority' }
  expect(gemini.decodeAnswer({ candidates: [], usageMetadata }).tier).toBe('priority')
  for (const encoded of encodeBoth(answer({ type: 'text', text: 'Hi' }, 'priority')))
    expect(encoded).toContain('"usageMetadata":{"serviceTier":"priority"}')
})

it('there is no part for a refusal: the reason says that the words are one', () => {
  for (const encoded of encodeBoth(answer({ type: 'text', text: 'No.', refusal: true })))
    expect(encoded).toContain('"finishReason":"SAFETY"')
  for (const encoded of encodeBoth(answer({ type: 'text', text: 'Yes.' })))
    expect(encoded).toContain('"finishReason":"STOP"')
})

it('a sound whose form nobody tells is in the only one that there is', () => {
  const sound = { type: 'media', mime: 'audio/*', base64: 'AAEC' } as const
  const encoded = answer({ type: 'text', text: '' })
  encoded.choices[0]!.parts = [sound]
  for (const text of encodeBoth(encoded)) expect(text).toContain('"audio/L16;codec=pcm;rate=24000"')
})

it('models that think by a budget are told to choose it; later ones do so by themselves', () => {
  const reasoning = { mode: 'adaptive' } as const
  const thinkingOf = (model: string) =>
    write({ model, reasoning }).body.generationConfig as { thinkingConfig: object }
  expect(thinkingOf('gemini-2.5-flash-lite').thinkingConfig).toMatchObject({ thinkingBudget: -1 })
  expect(thinkingOf('gemini-3-pro').thinkingConfig).toEqual({ includeThoughts: true })
})

it('of an address about which nothing is known nothing is said', () => {
  const url = 'https://files.example/paper.pdf'
  const media = { type: 'media', mime: 'application/octet-stream', url } as const
  const image = { type: 'media', mime: 'image/png', base64: 'AA==', detail: 'auto' } as const
  const { body, dropped } = write({ messages: [{ role: 'user', parts: [media, image] }] })
  expect(body.contents).toEqual([
    {
      role: 'user',
      parts: [
        { fileData: { fileUri: url } },
        { inlineData: { mimeType: 'image/png', data: 'AA==' } },
      ],
    },
  ])
  expect(dropped).toEqual([])
})
