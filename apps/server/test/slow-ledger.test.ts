import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, it } from 'vitest'
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
