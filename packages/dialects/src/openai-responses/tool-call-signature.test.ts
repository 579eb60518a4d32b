import { expect, it } from 'vitest'
import type { ChatEvent } from '../canon.ts'
import { gemini } from '../gemini/index.ts'
import { openaiResponses } from './index.ts'

const signature = { dialect: 'gemini', text: 'EpEgCo4gAb4+9vvW==' } as const
const result: ChatEvent[] = [
  { type: 'start', id: 'r1', model: 'gemini-3-pro' },
  { type: 'part', index: 0, part: { type: 'thinking', text: 'First the file.' } },
  {
    type: 'part',
    index: 1,
    part: { type: 'tool-call', id: 'c1', name: 'read', input: '{}', signature },
  },
  { type: 'finish', finish: { reason: 'tools' } },
  { type: 'end' },
]

it('what signs a call, and not the thought before it, comes back to the call', () => {
  const encoder = openaiResponses.encodeEvents()
  const frames = result.map(event => encoder.push(event)).join('')
  const completed = JSON.parse(frames.trim().split('\ndata: ').at(-1)!)
  const { output } = completed.response
  expect(output.map(({ type }: { type: string }) => type)).toEqual([
    'reasoning',
    'reasoning',
    'function_call',
  ])
  const input = output.map(({ id: _, status: __, ...item }: Record<string, unknown>) => item)
  const read = openaiResponses.decodeRequest({ model: 'gemini-3-pro', input })
  if (!read.ok) throw new Error(read.hint)
  const { contents } = gemini.encodeRequest(read.request).body as {
    contents: { parts: { functionCall?: object; thoughtSignature?: string }[] }[]
  }
  const call = contents.flatMap(each => each.parts).find(each => each.functionCall)
  expect(call?.thoughtSignature).toBe(signature.text)
})
