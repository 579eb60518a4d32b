import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../../../harness/frames.ts'
import { accountOf } from '../../../harness/ledger.ts'
import { rssBytes } from '../../../harness/process/stats.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const mebibyte = 1024 * 1024

describeOneEngine(engine => {
  let hub: TestHub
  let person: { id: number; key: string }
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(1_000_000)
  })
  afterAll(() => hub?.close())

  /** Sends raw pieces and reads the answer; the gateway may hang up before the last one. */
  const send = (headers: Record<string, string | number>, pieces: Iterable<Buffer>) =>
    new Promise<{ status: number; text: string }>(answer => {
      // Its own: after less was sent than announced, the next request would be taken for the rest of it.
      const agent = new Agent({ keepAlive: true })
      const resolve = (seen: { status: number; text: string }) => {
        agent.destroy()
        answer(seen)
      }
      const call = request(`${hub.gateway.url}/v1/chat/completions`, {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${person.key}`,
          'content-type': 'application/json',
          ...headers,
        },
      })
      let text = ''
      let status = 0
      call.on('response', response => {
        status = response.statusCode ?? 0
        response.on('data', chunk => {
          text += chunk
        })
        response.on('close', () => resolve({ status, text }))
        response.on('error', () => resolve({ status, text }))
      })
      call.on('error', () => status === 0 && resolve({ status, text }))
      void (async () => {
        for (const piece of pieces) {
          if (call.destroyed || status) break
          if (!call.write(piece))
            await Promise.race([once(call, 'drain'), once(call, 'close'), sleep(2_000)])
        }
        call.end()
      })().catch(() => undefined)
    })

  function* pieces(count: number) {
    for (let at = 0; at < count; at += 1) yield Buffer.alloc(mebibyte, 0x61)
  }

  it('R25 a body over the limit is refused before it was kept, with and without a length', async () => {
    const before = rssBytes(hub.gateway.pid)
    const declared = await send({ 'content-length': 2_000 * mebibyte }, pieces(300))
    expect([declared.status, faultIn(declared.text)]).toEqual([413, 'request_too_large'])
    const chunked = await send({ 'transfer-encoding': 'chunked' }, pieces(300))
    // If the gateway closes the connection during the upload, the client may see only a reset.
    if (chunked.status)
      expect([chunked.status, faultIn(chunked.text)]).toEqual([413, 'request_too_large'])
    expect((rssBytes(hub.gateway.pid) - before) / mebibyte).toBeLessThan(120)
  })

  it('R25 a compressed bomb is not unpacked beyond the limit', retryTiming, async () => {
    const bomb = gzipSync(Buffer.alloc(200 * mebibyte, 0x20), { level: 9 })
    const before = rssBytes(hub.gateway.pid)
    const seen = await send({ 'content-encoding': 'gzip', 'content-length': bomb.length }, [bomb])
    expect([400, 413, 415]).toContain(seen.status)
    expect((rssBytes(hub.gateway.pid) - before) / mebibyte).toBeLessThan(100)
  })

  it('R25 who is refused before the body was read is answered again on the same connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const post = (headers: Record<string, string>, body: Buffer) =>
      new Promise<number>((resolve, reject) => {
        const type = { 'content-type': 'application/json', ...headers }
        const url = `${hub.gateway.url}/v1/chat/completions`
        const call = request(url, { method: 'POST', agent, headers: type }, response => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        })
        call.on('error', reject)
        call.setTimeout(10_000, () => call.destroy(new Error('nobody answers')))
        call.end(body)
      })
    const large = Buffer.alloc(mebibyte, 0x61)
    const key = { authorization: `Bearer ${person.key}` }
    for (let at = 0; at < 40; at += 1) {
      expect(await post({ authorization: 'Bearer sk-nobody' }, large)).toBe(401)
      expect(await post({ ...key, 'content-encoding': 'gzip' }, large)).toBe(415)
      expect(await post(key, Buffer.from('{'))).toBe(400)
    }
    agent.destroy()
  })

  // That neither costs more than its share of work: `long-prompts.test.ts`.
  it('R25 JSON nested a hundred thousand deep is refused', async () => {
    const deep = Buffer.from(
      `{"model":"any:out=1","messages":[{"role":"user","content":"hi"}],"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    )
    for (let at = 0; at < 20; at += 1) {
      const seen = await send({ 'content-length': deep.length }, [deep])
      expect([seen.status, faultIn(seen.text)]).toEqual([400, 'request_too_deep'])
    }
  })

  it('R25 a prompt of 16 MB is served, or refused as too long for the balance', async () => {
    const prompt = JSON.stringify({
      model: 'any:out=1',
      messages: [{ role: 'user', content: 'word '.repeat(3_200_000) }],
      max_tokens: 1,
    })
    const body = Buffer.from(prompt)
    for (let at = 0; at < 3; at += 1) {
      const seen = await send({ 'content-length': body.length }, [body])
      expect(seen.status).not.toBe(500)
    }
  })

  it('R25 after all that, nothing was charged that was not answered', async () => {
    await hub.settled()
    const { balance, held } = await accountOf(hub.gateway, person.id)
    expect(held).toBe(0)
    expect(balance).toBeGreaterThanOrEqual(0)
    await hub.audit()
  })
})
