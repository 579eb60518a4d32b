import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeResponseState, type ResponseState } from '../call-state.ts'
import { writeChunks } from './write.ts'

/** The body that a caller gets if the answer is written like this. */
const sent = async (write: (response: ResponseState) => Promise<void>): Promise<string> => {
  const server = createServer((_request, stream) => {
    void write(makeResponseState(stream, [])).then(() => stream.end('end'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const text = await answer.text()
  server.close()
  return text
}
const writeEach = (context: ResponseState, parts: string[]) =>
  parts.forEach(part => {
    writeChunks(context, [Buffer.from(part)])
  })
const large = 'x'.repeat(100_000)

it('an empty part does not end the answer', async () => {
  const text = await sent(async context => {
    for (const part of ['one ', 'two ', '', 'three ']) {
      writeEach(context, [part])
      await nextTurn()
    }
    writeChunks(context, [])
    writeChunks(context, [Buffer.alloc(0), Buffer.alloc(0)])
  })
  expect(text).toBe('one two three end')
})

it('parts of one tick arrive in their order, whatever their sizes are', async () => {
  const parts = ['one ', 'two ', large, ' three ', large, large, ' four ']
  const text = await sent(async context => {
    writeEach(context, parts)
    await nextTurn()
    writeEach(context, ['five ', ...parts])
  })
  expect(text).toBe(`${parts.join('')}five ${parts.join('')}end`)
})
