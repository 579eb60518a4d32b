import { expect, it } from 'vitest'
import type { Turn } from '../../../test/upstream/turn.ts'
import { answerJson, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

type Message = { role: string; content: string }
type Options = { headers?: Record<string, string>; body?: object }

/** A vendor that caches prompts per key, and charges a tenth for cached input. */
const startVendor = () => {
  const prompts = new Map<string, string[]>()
  const vendor = { points: 0, keys: [] as string[], refused: '' }
  const play = (turn: Turn) => {
    const key = String(turn.served.headers.authorization)
    vendor.keys.push(key)
    if (key === vendor.refused) return answerJson(turn, { error: { message: 'away' } }, 500)
    const prompt = JSON.stringify(receivedBody(turn).messages).slice(0, -1)
    const known = prompts.get(key) ?? []
    prompts.set(key, known)
    const cached = Math.max(0, ...known.filter(each => prompt.startsWith(each)).map(tokensOf))
    known.push(prompt)
    vendor.points += tokensOf(prompt) - 0.9 * cached
    const usage = { prompt_tokens: tokensOf(prompt), completion_tokens: 1 }
    answerJson(turn, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
      usage: { ...usage, prompt_tokens_details: { cached_tokens: cached } },
    })
  }
  return { vendor, play }
}

const tokensOf = (text: string) => Math.ceil(text.length / 4)

const send = async (model: string, messages: readonly Message[], more: Options = {}) => {
  const body = { model, messages, ...more.body }
  const response = await hub.post('/v1/chat/completions', body, more.headers)
  await response.arrayBuffer()
  return response.status
}

/** Text of a length that no other text begins with. */
const textOf = (id: string, length: number) => `${id} `.repeat(length / (id.length + 1))

/** One channel with several keys. */
const addKeys = (model: string, count: number, key_rotation: 'random' | 'round_robin') => {
  const key = Array.from({ length: count }, (_, n) => `sk-${model}-${n}`).join('\n')
  return hub.addChannel(1, model, { key, key_mode: 'one_channel', key_rotation })
}

const setOption = (key: string, value: string) => hub.app.root.put('/api/option/', { key, value })

/** Interleaved conversations whose prompts begin at 4,000 tokens and grow. Returns the vendor's charge. */
const converse = async (model: string, { conversations, turns }: Record<string, number>) => {
  const { vendor, play } = startVendor()
  hub.upstream.play(model, play)
  const all = Array.from({ length: conversations! }, (_, n): Message[] => [
    { role: 'system', content: textOf(`${model}-${n}`, 16_000) },
  ])
  for (let turn = 0; turn < turns!; turn++)
    for (const messages of all) {
      messages.push({ role: 'user', content: textOf(`turn-${turn}`, 400) })
      expect(await send(model, messages)).toBe(200)
      messages.push({ role: 'assistant', content: 'a' })
    }
  return { points: vendor.points, keys: vendor.keys }
}

it('interleaved conversations over four keys cost the vendor’s account at least a fifth less than drawn keys', async () => {
  const size = { conversations: 12, turns: 8 }
  for (const model of ['drawn', 'warm']) await addKeys(model, 4, 'random')
  await setOption('PromptCacheRoutingEnabled', 'false')
  const drawn = await converse('drawn', size)
  await setOption('PromptCacheRoutingEnabled', 'true')
  const warm = await converse('warm', size)
  expect(warm.points).toBeLessThan(0.8 * drawn.points)
  expect(new Set(warm.keys).size).toBeGreaterThan(1)
})

it('a conversation stays at the channel that answered it, and moves on when that fails', async () => {
  const { vendor, play } = startVendor()
  hub.upstream.play('moving', play)
  for (const name of ['one', 'two', 'three'])
    await hub.addChannel(1, 'moving', { name, key: `sk-${name}` })
  const messages = [{ role: 'user', content: textOf('moving', 8_000) }]
  for (let n = 0; n < 8; n++) expect(await send('moving', messages)).toBe(200)
  expect(new Set(vendor.keys).size).toBe(1)
  vendor.refused = vendor.keys[0]!
  expect(await send('moving', messages)).toBe(200)
  const next = vendor.keys.at(-1)!
  expect(next).not.toBe(vendor.refused)
  vendor.refused = ''
  for (let n = 0; n < 8; n++) await send('moving', messages)
  expect(new Set(vendor.keys.slice(-8))).toEqual(new Set([next]))
})

it('a channel of higher priority is preferred to a warm one', async () => {
  const { vendor, play } = startVendor()
  hub.upstream.play('tiers', play)
  await hub.addChannel(1, 'tiers', { name: 'spare', key: 'sk-spare' })
  const messages = [{ role: 'user', content: textOf('tiers', 8_000) }]
  expect(await send('tiers', messages)).toBe(200)
  await hub.addChannel(1, 'tiers', { name: 'main', key: 'sk-main', priority: 9 })
  await expect
    .poll(async () => {
      await send('tiers', messages)
      return vendor.keys.at(-1)
    })
    .toContain('sk-main')
})

it.each([
  ['the header session_id', (id: string): Options => ({ headers: { session_id: id } })],
  ['prompt_cache_key', (id: string): Options => ({ body: { prompt_cache_key: id } })],
])('%s names the conversation, whatever its messages are', async (name, optionsOf) => {
  const model = `named-${name.replace(/\W/g, '')}`
  const { vendor, play } = startVendor()
  hub.upstream.play(model, play)
  await addKeys(model, 8, 'round_robin')
  const keysFor = async (id: string) => {
    const before = vendor.keys.length
    for (let n = 0; n < 5; n++)
      await send(model, [{ role: 'user', content: textOf(`${id}${n}`, 8_000) }], optionsOf(id))
    return new Set(vendor.keys.slice(before))
  }
  const [one, two] = [await keysFor('one'), await keysFor('two')]
  expect([one.size, two.size]).toEqual([1, 1])
  expect(one).not.toEqual(two)
})

it('short requests and other conversations are drawn as before', async () => {
  const model = 'short'
  const { vendor, play } = startVendor()
  hub.upstream.play(model, play)
  await addKeys(model, 4, 'round_robin')
  for (let n = 0; n < 4; n++) await send(model, [{ role: 'user', content: 'hi' }])
  for (let n = 0; n < 4; n++)
    await send(model, [{ role: 'user', content: textOf(`other-${n}`, 8_000) }])
  expect(new Set(vendor.keys.slice(0, 4)).size).toBeGreaterThan(1)
  expect(new Set(vendor.keys.slice(4)).size).toBeGreaterThan(1)
})
