import dns from 'node:dns'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { certificate, privateKey } from '../../../test/harness/sockets/tls-proxy.ts'
import { answerJson, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

type Answer = { code: string } | { addresses: readonly string[] } | 'silent'
/** Answers of the name server, by name, and the lookups in order. */
const answers = new Map<string, () => Answer>()
const lookups: string[] = []
const { lookup } = dns
type Callback = (error: Error | null, addresses?: unknown, family?: number) => unknown

/** A name server for the names of this test; sockets ask it through `dns.lookup`. */
const fakeLookup = (name: string, options: { all?: boolean }, callback: Callback): void => {
  const answer = answers.get(name)?.()
  if (!answer) {
    Reflect.apply(lookup, dns, [name, options, callback])
    return
  }
  lookups.push(name)
  if (answer === 'silent') return
  if ('code' in answer) {
    callback(Object.assign(new Error(`getaddrinfo ${answer.code} ${name}`), answer))
    return
  }
  const found = answer.addresses.map(address => ({ address, family: 4 }))
  if (options.all) callback(null, found)
  else callback(null, found[0]!.address, 4)
}

let secure: Server
beforeAll(async () => {
  Object.assign(dns, { lookup: fakeLookup })
  // No authority of this process signed it.
  secure = createServer({ cert: certificate, key: privateKey }, (_, response) => response.end('{}'))
  await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve))
  await hub.app.root.put('/api/option/', { key: 'ConnectTimeoutSeconds', value: '1' })
})
afterAll(() => {
  Object.assign(dns, { lookup })
  secure.close()
})
beforeEach(() => {
  lookups.length = 0
  hub.upstream.forget()
})

const chat = async (model: string) => {
  const body = { model, messages: [{ role: 'user', content: 'hi' }] }
  const response = await hub.post('/v1/chat/completions', body)
  await response.arrayBuffer()
  return response.status
}
/** The channel at the address is tried before a healthy one. */
const addPair = async (model: string, address: string) => {
  await hub.addChannel(1, model, { name: 'bad', priority: 2, base_url: address })
  await hub.addChannel(1, model, {
    name: 'good',
    priority: 1,
    base_url: `${hub.upstream.url}/good`,
  })
  hub.upstream.play(model, turn => answerJson(turn, completion))
}
const portOf = (url: string) => new URL(url).port

it.each<[string, Answer]>([
  ['nxdomain', { code: 'ENOTFOUND' }],
  ['servfail', { code: 'EAI_AGAIN' }],
  ['slow', 'silent'],
  ['dead', { addresses: ['127.0.0.2'] }],
])('R13 a channel whose name is %s leaves the call to the next one', async (name, answer) => {
  const host = `${name}.test`
  answers.set(host, () => answer)
  await addPair(name, `http://${host}:${portOf(hub.upstream.url)}/bad`)
  expect(await chat(name)).toBe(200)
  expect(lookups).toContain(host)
  expect(hub.upstream.served.map(each => each.channel)).toEqual(['good'])
})

it('R13 a channel whose certificate is wrong leaves the call to the next one', async () => {
  await addPair('wrong-certificate', `https://127.0.0.1:${(secure.address() as AddressInfo).port}`)
  expect(await chat('wrong-certificate')).toBe(200)
  expect(hub.upstream.served.map(each => each.channel)).toEqual(['good'])
})

it('R13 the address of a name is looked up with each connection, so that no dead one is kept', async () => {
  let address = '127.0.0.2'
  answers.set('flapping.test', () => ({ addresses: [address] }))
  await addPair('flapping', `http://flapping.test:${portOf(hub.upstream.url)}/bad`)
  const served = async () => {
    hub.upstream.forget()
    expect(await chat('flapping')).toBe(200)
    return hub.upstream.served.map(each => each.channel)
  }
  expect(await served()).toEqual(['good'])
  address = '127.0.0.1'
  expect(await served()).toEqual(['bad'])
})
