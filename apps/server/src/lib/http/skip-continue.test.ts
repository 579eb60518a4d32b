import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { skipContinue } from './skip-continue.ts'

/** Reads as undici does: on each `readable` until there is nothing. */
const readAll = (chunks: readonly string[], isAwaited = true): string => {
  const socket = skipContinue(new Duplex({ read: () => {}, write: () => {} }), { isAwaited })
  let all = ''
  for (const chunk of chunks) {
    socket.push(chunk)
    for (let part = socket.read(); part !== null; part = socket.read()) all += part
  }
  return all
}

const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'

it.each([
  ['one', interim],
  ['several', interim.repeat(3)],
  ['one with headers', 'HTTP/1.1 100 Continue\r\ndate: now\r\n\r\n'],
])('an answer behind %s is passed on alone, however the bytes arrive', (_, before) => {
  const bytes = before + answer
  expect(readAll([bytes])).toBe(answer)
  expect(readAll([...bytes])).toBe(answer)
  for (let at = 1; at < bytes.length; at++)
    expect(readAll([bytes.slice(0, at), bytes.slice(at)])).toBe(answer)
})

it('an answer without it arrives unchanged, however the bytes arrive', () => {
  for (const bytes of [answer, `HTTP/1.1 103 Early Hints\r\n\r\n${answer}`]) {
    expect(readAll([bytes])).toBe(bytes)
    expect(readAll([...bytes])).toBe(bytes)
  }
})

it('while no head is awaited nothing is removed', () => {
  expect(readAll([interim, answer], false)).toBe(interim + answer)
})

it('a head without an end is left to the parser', () => {
  const endless = `HTTP/1.1 100 Continue\r\nx: ${'x'.repeat(20_000)}`
  expect(readAll([endless])).toBe(endless)
})
