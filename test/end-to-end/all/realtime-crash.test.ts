import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '../../harness/audit.ts'
import { arm, killedAt } from '../../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../../harness/crash/prepared-hub.ts'
import { accountOf, chargesOf, countHolds } from '../../harness/ledger.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { openSocket } from '../../harness/sockets/client.ts'
import {
  answer,
  type RealtimeVendor,
  startRealtimeVendor,
  usage,
} from '../../harness/sockets/realtime-vendor.ts'

// A caller that received the end of a realtime response has paid for it once, wherever the gateway is killed. The
// first response of each session ends before steps are counted, and is paid in any case.

const startingBalance = 1_000_000
const price = usage.total_tokens
const stepsMax = 100
const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)
/** The soak kills at every step; elsewhere each run kills at every fourth, and begins at another one. */
const stride = process.env.HUB_RECOVERY_ROUNDS === undefined ? 4 : 1
const firstStep = 1 + (seed % stride)

/** One session of two responses. Returns how many of them the caller saw end. */
const talk = async (restored: RestoredHub): Promise<number> => {
  const client = await openSocket(`${restored.gateway.url}/v1/realtime?model=gpt-realtime`, {
    authorization: `Bearer ${restored.person.key}`,
  })
  const respond = async () => {
    client.send({ type: 'response.create' })
    await client.next(each => each.type === 'response.done')
  }
  let ended = 0
  try {
    await respond()
    ended += 1
    await arm(restored)
    await respond()
    ended += 1
    client.socket.close()
  } catch {
    // The gateway was killed: only what the caller saw counts.
  }
  await client.closed
  return ended
}

describeEnginesInParallel(engine => {
  let prepared: Prepared
  let vendor: RealtimeVendor
  beforeAll(async () => {
    vendor = await startRealtimeVendor()
    prepared = await prepare(engine, startingBalance, async ({ admin }) => {
      const channel = { type: 1, models: 'gpt-realtime', key: 'vendor-key' }
      await admin.addChannel(vendor.url, channel)
      await admin.setPrice('gpt-realtime', 'tokens', 1, 1)
    })
  })
  afterAll(async () => {
    await prepared?.close()
    await vendor?.close()
  })

  it('R2 killed at the steps of a realtime response: each response that ended is paid once, and no hold stays', async () => {
    const restored = await prepared.open()
    const passed: string[] = []
    let answered = 0
    vendor.onCreate = (session, n) => {
      answered += 1
      answer(session, n)
    }
    const settled = async () => {
      await until('no hold is open', async () => (await countHolds(restored.where)) === 0)
      const { balance, held } = await accountOf(restored.where, restored.person.id)
      expect(held).toBe(0)
      await auditLedger(restored.where)
      return balance
    }
    try {
      await restored.gateway.start({ FAILPOINT: `signal:${firstStep}` })
      let before = await settled()
      for (let step = firstStep; step <= stepsMax; step += stride) {
        answered = 0
        const ended = await talk(restored)
        const name = await killedAt(restored)
        if (!name) await restored.gateway.stop('SIGKILL')
        // This start is the recovery from the kill, and the next round's.
        await restored.gateway.start({ FAILPOINT: `signal:${step + stride}` })
        const after = await settled()
        const paid = before - after
        const where = `step ${step}: ${name}`
        expect(paid, where).toBeGreaterThanOrEqual(ended * price)
        expect(paid, where).toBeLessThanOrEqual(answered * price)
        before = after
        if (name) passed.push(name)
        else {
          expect([ended, paid]).toEqual([2, 2 * price])
          break
        }
      }
      console.log(`R2 on ${engine.name}, a realtime response: killed at ${passed.length} steps`)
      expect(passed.length).toBeGreaterThan(0)
      const charges = await chargesOf(restored.where, restored.person.id)
      expect(charges.every(each => each.amount === price)).toBe(true)
    } finally {
      await restored.close()
    }
  })
})
