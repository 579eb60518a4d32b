import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, it } from 'vitest'
import { sweep } from '../src/billing/sweep.ts'
import type { VoidOperation } from '../src/db/operations.ts'
import { beginStream, frame, lastCharge, type RelayCall } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'

const model = 'slow-chat'
const hub = useRelayHub()

beforeAll(async () => {
  await hub.addChannel(1, model)
})

const messages = [{ role: 'user', content: 'hi' }]
const chat: RelayCall = { path: '/v1/chat/completions', body: { model, stream: true, messages } }

const textFrame = (text: string) =>
  frame({ id: 'c', choices: [{ index: 0, delta: { content: text } }] })
const usage = { prompt_tokens: 10, completion_tokens: 20_000 }
const endFrames = `${frame({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${frame({ id: 'c', choices: [], usage })}data: [DONE]\n\n`

/** Another connection that keeps the write lock, as a backup or a slow disk does. */
const lockDatabase = () => {
  const other = new DatabaseSync(join(hub.app.app.env.dataDir, 'hub.db'))
  other.exec('pragma busy_timeout = 5000; begin immediate')
  return {
    release: () => {
      other.exec('rollback')
      other.close()
    },
  }
}
/** An outage begins when the database was away for a second. */
const outage = () =>
  expect.poll(() => hub.app.app.ledger.lag(), { interval: 5 }).toBeGreaterThan(1_000)

it('REL-2 a stream of a rich user waits for a slow ledger, and is whole in the end', async () => {
  const text = 'four '.repeat(1_000)
  hub.upstream.play(model, async turn => {
    beginStream(turn)
    turn.response.write(textFrame(text))
    const lock = lockDatabase()
    // More than the hold of 4,096 tokens of output and the prompt.
    for (let at = 1; at < 5; at += 1) turn.response.write(textFrame(text))
    await outage()
    for (let at = 5; at < 20; at += 1) turn.response.write(textFrame(text))
    turn.response.end(endFrames)
    lock.release()
  })
  const answer = await (await hub.post(chat.path, chat.body)).text()
  expect(answer).not.toContain('insufficient_quota')
  expect(answer.match(/four /g)).toHaveLength(20_000)
  expect(answer.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await lastCharge(hub)).toMatchObject({ amount: 20_010, finish: 'complete' })
})

/** A full disk: neither the database nor the journal takes a charge, because one line fills the journal. */
const fillDisk = async () => {
  const { ledger } = hub.app.app
  const lock = lockDatabase()
  const padding = 'x'.repeat(64 * 1024 * 1024 - 200)
  await ledger.submit({ kind: 'void', id: ledger.nextId(), padding } as VoidOperation)
  return {
    free: async () => {
      lock.release()
      await expect.poll(() => ledger.lag(), { interval: 5 }).toBe(0)
      await sweep(hub.app.app)
    },
  }
}

const wholeAnswer = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
})

it('REL-3 a whole answer that a full disk withholds is never charged', async () => {
  const before = await lastCharge(hub)
  let disk: Awaited<ReturnType<typeof fillDisk>> | undefined
  hub.upstream.play(model, async ({ response }) => {
    disk = await fillDisk()
    response.writeHead(200, { 'content-type': 'application/json' }).end(wholeAnswer)
  })
  const withheld = await hub.post(chat.path, { model, messages }, { 'idempotency-key': 'one' })
  expect([withheld.status, await withheld.text()]).toEqual([
    503,
    expect.stringContaining('server_ledger'),
  ])
  await disk?.free()
  expect(await lastCharge(hub)).toEqual(before)

  hub.upstream.play(model, ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(wholeAnswer)
  })
  const again = await hub.post(chat.path, { model, messages }, { 'idempotency-key': 'one' })
  expect(again.status).toBe(200)
  expect(await lastCharge(hub)).toMatchObject({ amount: 15 })
})

it('REL-3 a stream that began before the disk was full ends with an error event, and is charged once', async () => {
  let disk: Awaited<ReturnType<typeof fillDisk>> | undefined
  hub.upstream.play(model, async turn => {
    beginStream(turn)
    turn.response.write(textFrame('hello'))
    disk = await fillDisk()
    turn.response.end(endFrames)
  })
  const answer = await (await hub.post(chat.path, chat.body)).text()
  expect(answer).toContain('hello')
  expect(answer).toContain('server_ledger')
  expect(answer).not.toContain('[DONE]')
  await disk?.free()
  expect(await lastCharge(hub)).toMatchObject({ amount: 20_010, finish: 'complete' })
})

it('the last bytes of speech are withheld while no disk takes the charge, which follows later', async () => {
  let disk: Awaited<ReturnType<typeof fillDisk>> | undefined
  await hub.addChannel(1, 'slow-speech')
  hub.upstream.play('slow-speech', async ({ response }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    // Several chunks, so that the caller has the first ones.
    await new Promise(resolve => response.write(Buffer.alloc(500_000), resolve))
    disk = await fillDisk()
    response.end('the end')
  })
  const speech = { model: 'slow-speech', input: 'hello', voice: 'alloy' }
  const response = await hub.post('/v1/audio/speech', speech)
  expect(response.status).toBe(200)
  let received = ''
  const read = async () => {
    for await (const chunk of response.body!) received += Buffer.from(chunk).toString('latin1')
  }
  await expect(read()).rejects.toThrow()
  expect(received).toMatch(/^\0+$/)
  await disk?.free()
  expect(await lastCharge(hub)).toMatchObject({ amount: 5, finish: 'complete' })
})
