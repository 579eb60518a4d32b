import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ObservedCall, unobservedCall } from '../../harness/client.ts'
import { arm, isEveryStep, killAtSteps, type Scenario } from '../../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../../harness/crash/prepared-hub.ts'
import { chargesOf, query } from '../../harness/ledger.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'

// A caller that received the end of a locally stored response can continue it, whatever happens next. Storage
// failures never change the charge: each call is charged once.

const model = 'mute:in=10;out=4'
const price = 14
// When the vendor hangs up is its own affair: before or after our own end.
const ends = ['ledger asked', 'ledger answered', 'caller end', 'caller ended']

/** Reads a stream until it ends or breaks; calls `onPiece` for each piece. */
const stream = async (
  { gateway, person }: RestoredHub,
  body: object,
  onPiece = () => {},
): Promise<ObservedCall> => {
  const seen = unobservedCall()
  try {
    const response = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'Say something.', stream: true, ...body }),
    })
    seen.status = response.status
    seen.requestId = response.headers.get('x-oneapi-request-id') ?? ''
    for await (const piece of response.body ?? []) {
      seen.text += Buffer.from(piece).toString()
      onPiece()
    }
  } catch {
    // Only the part before the end counts.
    seen.broken = true
  }
  seen.complete = /event: response\.completed\n.*\n\n$/.test(seen.text)
  return seen
}

const idIn = ({ text }: ObservedCall) => /"id":"(resp_\w+)"/.exec(text)?.[1] ?? ''

const retrieve = ({ gateway, person }: RestoredHub, id: string) =>
  fetch(`${gateway.url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${person.key}` },
  })

type ResponseState = { id: string; status: string }

/**
 * Sends a call in the background, and asks for its response once it has ended. Until then it looks into the database:
 * the steps of each answer would be counted, too.
 */
const waitInBackground = async (restored: RestoredHub) => {
  const { gateway, person, where } = restored
  const seen = unobservedCall()
  const exited = gateway.exited().then(() => true)
  let response: ResponseState = { id: '', status: '' }
  try {
    const created = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Say something.', background: true }),
    })
    seen.status = created.status
    seen.requestId = created.headers.get('x-oneapi-request-id') ?? ''
    response = (await created.json()) as ResponseState
    const sql = `select id from stored_answers where id = '${response.id}' and is_running = 1`
    while ((await query(where, sql)).length > 0) if (await Promise.race([exited, sleep(5)])) break
    response = (await (await retrieve(restored, response.id)).json()) as ResponseState
  } catch {
    seen.broken = true
  }
  seen.complete = response.status === 'completed'
  return { seen, response }
}

const expectSteps = (passed: readonly string[], { passes }: Scenario) => {
  expect(passed.length).toBeGreaterThan(1)
  if (isEveryStep) expect(passed).toEqual(expect.arrayContaining([...passes]))
}

describeEnginesInParallel(engine => {
  let prepared: Prepared
  beforeAll(async () => {
    prepared = await prepare(engine, 1_000_000, async ({ admin, upstream }) => {
      await admin.setOption('RetryTimes', '0')
      await admin.setOption('RetryCooldownSeconds', '0')
      await admin.setOption('KeepResponsesEnabled', 'true')
      await admin.addChannel(`${upstream.url}/claude`, { type: 14, models: 'mute:*' })
      await admin.setPrice('mute:*', 'tokens', 1, 1)
    })
  })
  afterAll(() => prepared?.close())

  // Their steps in the database are those of `fail-points.test.ts`, which runs on both engines.
  if (engine.name === 'SQLite') {
    it('R2 killed at its steps: an answer that the gateway keeps is there once its end was seen', async () => {
      const scenario: Scenario = {
        title: 'an answer that the gateway keeps',
        passes: [...ends, 'response kept'],
        armed: true,
        act: async restored => {
          await arm(restored)
          return { calls: [{ seen: await stream(restored, { model }), exact: price }] }
        },
        afterRestart: async (restored, { calls = [] }) => {
          const [first] = calls
          if (!first?.seen.complete) return { calls }
          expect(first.seen.text.slice(first.seen.text.lastIndexOf('event: '))).toContain(
            '"store":true',
          )
          const id = idIn(first.seen)
          expect((await retrieve(restored, id)).status).toBe(200)
          const seen = await stream(restored, { model, previous_response_id: id })
          expect(seen.complete).toBe(true)
          return { calls: [first, { seen, exact: price }] }
        },
      }
      const passed = await killAtSteps(prepared, scenario)
      expectSteps(passed, scenario)
    })

    it('R2 killed at its steps: a background response ends, and its answer shows only if it is charged', async () => {
      let id = ''
      const scenario: Scenario = {
        title: 'a response in the background',
        passes: ['ledger answered', 'background begun', 'background saved'],
        armed: true,
        act: async restored => {
          await arm(restored)
          const { seen, response } = await waitInBackground(restored)
          ;({ id } = response)
          return { calls: [{ seen, exact: price }] }
        },
        afterRestart: async (restored, { calls = [] }) => {
          const [call] = calls
          if (id === '' || !call) return { calls }
          const status = async () =>
            ((await (await retrieve(restored, id)).json()) as ResponseState).status
          await until('it has ended', async () => !/queued|in_progress/.test(await status()))
          if (call.seen.complete) expect(await status()).toBe('completed')
          call.seen.complete = (await status()) === 'completed'
          return { calls }
        },
      }
      const passed = await killAtSteps(prepared, scenario)
      expectSteps(passed, scenario)
    })
  }

  it('a background response that a stopping server cuts has failed, and is free', async () => {
    const restored = await prepared.open()
    const { gateway, person, where } = restored
    try {
      await gateway.start({ STOP_DEADLINE_SECONDS: '1' })
      const response = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'mute:first=600000', input: 'Wait.', background: true }),
      })
      const { id, status } = (await response.json()) as ResponseState
      expect(status).toBe('queued')
      expect(await gateway.stop()).toBe(0)
      await gateway.start()
      const after = await (await retrieve(restored, id)).json()
      expect(after).toMatchObject({ status: 'failed', error: { message: /stop/i } })
      expect(await chargesOf(where, person.id)).toEqual([])
    } finally {
      await restored.close()
    }
  })

  it('while the database is unavailable a response ends, reports that it is not stored, and is charged once', async () => {
    const restored = await prepared.open()
    try {
      await restored.gateway.start()
      let giveBack: (() => void) | undefined
      const seen = await stream(restored, { model: 'mute:in=10;out=20;every=60' }, () => {
        giveBack ??= restored.takeAway()
      })
      giveBack?.()
      expect(seen.complete).toBe(true)
      const last = seen.text.slice(seen.text.lastIndexOf('event: '))
      expect(last).toContain('"store":false')
      const charges = () => chargesOf(restored.where, restored.person.id)
      await until('it is charged', async () => (await charges()).length > 0)
      expect((await charges()).map(each => each.amount)).toEqual([30])
      const rows = () => query(restored.where, 'select id from stored_answers')
      await until('what came too late is taken back', async () => (await rows()).length === 0)
      const status = async () => (await retrieve(restored, idIn(seen))).status
      await until('it answers again, and knows nothing of it', async () => (await status()) === 404)
      const [log] = await query(
        restored.where,
        `select metadata from logs where user_id = ${restored.person.id} order by id desc limit 1`,
      )
      expect(JSON.stringify(log?.metadata)).toMatch(/gateway: store \(not (in time|written)\)/)
    } finally {
      await restored.close()
    }
  })
})
