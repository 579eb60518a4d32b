import { expect, it } from 'vitest'
import { addToolCalls, parseStreamLine, readStream, type ToolCall } from './stream.ts'

it('reads text and usage from a line and ignores everything else', () => {
  expect(parseStreamLine('data: {"choices":[{"delta":{"content":"Hi"}}]}\r')).toEqual({
    text: 'Hi',
  })
  const usage = { prompt_tokens: 1, completion_tokens: 2 }
  expect(parseStreamLine(`data: ${JSON.stringify({ choices: [], usage })}`)).toEqual({ usage })
  expect(['', ': ping', 'event: x', 'data: [DONE]'].map(parseStreamLine)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('an error in the middle of a stream throws with the message of the server', () => {
  expect(() => parseStreamLine('data: {"error":{"message":"The provider broke off."}}')).toThrow(
    'The provider broke off.',
  )
})

it('reads reasoning under either name, once when a vendor sends both', () => {
  const read = (delta: object) =>
    parseStreamLine(`data: ${JSON.stringify({ choices: [{ delta }] })}`)
  expect(read({ content: null, reasoning_content: 'Hm' })).toEqual({ reasoning: 'Hm' })
  expect(read({ reasoning: 'Hm', content: 'Hi' })).toEqual({ reasoning: 'Hm', text: 'Hi' })
  expect(read({ reasoning: 'Hm', reasoning_content: 'Hm' })).toEqual({ reasoning: 'Hm' })
})

it('assembles tool calls from lines that arrive byte by byte, the last without a line end', async () => {
  const call = (index: number, piece: object) =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index, function: piece }] } }] })}`
  const stream = [
    call(0, { name: 'find', arguments: '{"place":' }),
    call(1, { name: 'now', arguments: '{}' }),
    call(0, { arguments: '"東京"}' }),
  ].join('\n\n')
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of new TextEncoder().encode(stream)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  let calls: readonly ToolCall[] = []
  for await (const { toolCalls = [] } of readStream(body)) calls = addToolCalls(calls, toolCalls)
  expect(calls).toEqual([
    { index: 0, name: 'find', arguments: '{"place":"東京"}' },
    { index: 1, name: 'now', arguments: '{}' },
  ])
})

it('a line that is cut off throws with the place, and is not lost in silence', () => {
  expect(() => parseStreamLine('data: {"choices":[{"del')).toThrow(
    'broke off at: {"choices":[{"del',
  )
})
