import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerJson, useRelayHub } from './relay-hub.ts'

const model = 'by-proxy'
const hub = useRelayHub()
const tunnels: string[] = []
let proxy: Server

beforeAll(async () => {
  proxy = createServer().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url)
    const [host, port] = url.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const each of [socket, target]) each.on('error', () => target.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  await hub.addChannel(1, model, { proxy: `http://127.0.0.1:${port}` })
})
afterAll(() => proxy.close())

it('a 100 Continue that nobody asked for is skipped behind an HTTP proxy too, and its tunnel is used again', async () => {
  hub.upstream.play(model, turn => {
    turn.response.writeContinue()
    answerJson(turn, {
      choices: [{ index: 0, message: { role: 'assistant', content: 'after 100' } }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    })
  })
  const body = { model, messages: [{ role: 'user', content: 'hi' }] }
  for (let n = 0; n < 3; n++) {
    const response = await hub.post('/v1/chat/completions', body)
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('after 100'),
    ])
  }
  expect(tunnels.length).toBe(1)
})
