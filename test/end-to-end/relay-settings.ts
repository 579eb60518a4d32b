import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SettingKey, Settings } from '@hub/contract'
import { expect } from 'vitest'
import { type FileHost, png, publicAddress } from '../harness/addresses/file-host.ts'
import { keepAlive } from '../harness/addresses/keep-alive.ts'
import { callApi } from '../harness/admin.ts'
import { faultIn } from '../harness/frames.ts'
import { startSocksProxy } from '../harness/sockets/socks-proxy.ts'
import type { TestHub } from '../harness/test-hub.ts'

type Checks<K extends SettingKey> = Record<K, () => Promise<void>>

/** A worker with One Hub's protocol: it refuses a wrong key as a real one does. */
const startWorker = async (key: string) => {
  const urls: string[] = []
  const server = createServer(keepAlive, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const call = JSON.parse(text) as { action: string; api_key: string; url: string }
    urls.push(call.url)
    const isAllowed = call.api_key === key && call.action === 'base64'
    response.statusCode = isAllowed ? 200 : 403
    response.end(
      JSON.stringify(
        isAllowed
          ? { status: true, data: png.toString('base64'), mimeType: 'image/png' }
          : { status: false, message: 'wrong key' },
      ),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, urls, close: () => server.close() }
}

/** Calls of one person. */
const makeClient = (hub: () => TestHub) => {
  let key: string | undefined
  const set = (key: SettingKey, value: string) => hub().admin.setOption(key, value)
  const post = async (path: string, body: object) => {
    key ??= (await hub().admin.addPerson(10_000_000)).key
    const response = await fetch(`${hub().gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const say = (content: unknown) =>
    post('/v1/chat/completions', { model: 'any:out=1', messages: [{ role: 'user', content }] })
  return { set, post, say }
}

/** The part of `settings.test.ts` that is about files behind addresses. */
export const linkSettings = (
  hub: () => TestHub,
  files: () => FileHost,
): Checks<keyof Settings['links']> => {
  const { set, post } = makeClient(hub)
  let isChannelAdded = false
  /** Sends the address of a file to a vendor that fetches nothing, so that the gateway must. */
  const sendLink = async (host = 'good.example') => {
    if (!isChannelAdded) {
      isChannelAdded = true
      await hub().admin.addChannel(`${hub().upstream.url}/ollama`, {
        ...{ type: 39, key: 'key', models: 'm-linked', only_chat: true },
        model_mapping: JSON.stringify({ 'm-linked': '+gemma4:31b' }),
      })
      await hub().admin.setPrice('m-linked', 'tokens', 1)
    }
    const url = `http://${host}:${files().port}/one.png`
    const content = [{ type: 'image_url', image_url: { url } }]
    return post('/v1/chat/completions', {
      model: 'm-linked',
      messages: [{ role: 'user', content }],
    })
  }
  const checkWorker = async () => {
    const worker = await startWorker('worker-key')
    await set('CFWorkerImageUrl', worker.url)
    await set('CFWorkerImageKey', 'another-key')
    expect((await sendLink()).text).toContain('403')
    await set('CFWorkerImageKey', 'worker-key')
    files().requests.length = 0
    expect((await sendLink()).status).toBe(200)
    expect([worker.urls.length, files().requests.length]).toEqual([2, 0])
    expect((await sendLink('127.0.0.1')).status).toBe(400)
    expect(worker.urls).toHaveLength(2)
    await set('CFWorkerImageUrl', '')
    await set('CFWorkerImageKey', '')
    worker.close()
  }
  return {
    CFWorkerImageUrl: checkWorker,
    CFWorkerImageKey: checkWorker,
    ChatImageRequestProxy: async () => {
      const proxy = await startSocksProxy()
      await set('ChatImageRequestProxy', proxy.url)
      expect((await sendLink()).status).toBe(200)
      // The proxy is given the checked address, and no name that it could resolve otherwise.
      expect(proxy.targets).toEqual([expect.stringContaining(publicAddress)])
      expect((await sendLink('127.0.0.1')).status).toBe(400)
      expect(proxy.targets).toHaveLength(1)
      await set('ChatImageRequestProxy', '')
      await proxy.close()
    },
  }
}

/** The part of `settings.test.ts` that is about the words of requests. */
export const safetySettings = (hub: () => TestHub): Checks<keyof Settings['safety']> => {
  const { set, post, say } = makeClient(hub)
  const withWords = async (work: () => Promise<void>) => {
    await set('SafeKeyWords', 'forbidden fruit\n禁果')
    await set('EnableSafe', 'true')
    await work()
    await set('EnableSafe', 'false')
    await set('SafeKeyWords', '')
  }
  return {
    EnableSafe: async () => {
      const bearer = { bearer: hub().gateway.accessToken }
      const early = await callApi(hub().gateway, bearer, 'PUT', '/api/option/', {
        key: 'EnableSafe',
        value: 'true',
      })
      expect(early.code).toBe('setting.incomplete')
      await withWords(async () => {
        hub().upstream.forget()
        const refused = await say('Eat the FORBIDDEN fruit')
        expect([refused.status, faultIn(refused.text)]).toEqual([400, 'request_content'])
        expect(refused.text).not.toContain('fruit')
        expect(hub().upstream.served).toEqual([])
        expect((await say('Eat an apple')).status).toBe(200)
      })
      expect((await say('Eat the forbidden fruit')).status).toBe(200)
    },
    SafeMode: () =>
      withWords(async () => {
        await set('SafeMode', 'log')
        expect((await say('Eat the forbidden fruit')).status).toBe(200)
        await set('SafeMode', 'block')
        expect((await say('Eat the forbidden fruit')).status).toBe(400)
      }),
    SafeKeyWords: () =>
      withWords(async () => {
        const content = [{ type: 'text', text: '吃禁果' }]
        const response = await post('/v1/messages', {
          ...{ model: 'any:out=1', max_tokens: 5 },
          messages: [{ role: 'user', content }],
        })
        expect(response.status).toBe(400)
        expect(JSON.parse(response.text)).toMatchObject({
          type: 'error',
          error: { type: 'invalid_request_error' },
        })
        await set('SafeKeyWords', 'another word')
        expect((await say('吃禁果')).status).toBe(200)
      }),
  }
}

/** The part of `settings.test.ts` that is about the formats of callers. */
export const formatSettings = (hub: () => TestHub): Checks<`${'Claude' | 'Gemini'}APIEnabled`> => {
  const { set, post, say } = makeClient(hub)
  return {
    ClaudeAPIEnabled: async () => {
      const messages = [{ role: 'user', content: 'Hello' }]
      const body = { model: 'any:out=1', max_tokens: 5, messages }
      const status = async () => (await post('/v1/messages', body)).status
      expect(await status()).toBe(200)
      await set('ClaudeAPIEnabled', 'false')
      expect([await status(), (await say('Hello')).status]).toEqual([403, 200])
      await set('ClaudeAPIEnabled', 'true')
    },
    GeminiAPIEnabled: async () => {
      const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
      const path = '/v1beta/models/any:out=1:generateContent'
      const status = async () => (await post(path, { contents })).status
      expect(await status()).not.toBe(403)
      await set('GeminiAPIEnabled', 'false')
      expect([await status(), (await say('Hello')).status]).toEqual([403, 200])
      await set('GeminiAPIEnabled', 'true')
    },
  }
}
