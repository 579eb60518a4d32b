import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { onBothEngines, openTestApp } from '../../../../test/harness.ts'
import { openPostgres, postgresSkipReason } from '../../../../test/postgres.ts'
import { estimateHiddenReasoning, type ReasoningTerms } from './estimate.ts'
import { reasoningSamples } from './samples.ts'

const terms = (userId: number): ReasoningTerms => ({
  ...{ request: 'on', level: 'high', budgetMax: undefined },
  ...{ model: 'm', userId, reasonsByDefault: false, outputMax: undefined },
})
const seen = { tokens: 10, visibleReasoning: 0, seconds: 10 }
const sample = (user_id: number, tokens: number) => ({ user_id, tokens, tokens_per_second: 1_000 })
const key = { model: 'm', level: 'high' }

onBothEngines('samples of hidden reasoning', open => {
  it('are kept over a restart, are bounded, and count for other users only', async () => {
    const hub = await open()
    const { add, flush } = reasoningSamples(hub.app)
    for (let call = 0; call < 20; call += 1) add(key, sample(1, 43))
    for (const tokens of [700, 100, 900]) add(key, sample(2, tokens))
    // Its own node knows at once what waits.
    expect(await estimateHiddenReasoning(hub.app, terms(1), seen)).toBe(700)
    await flush()
    expect(await estimateHiddenReasoning(hub.app, terms(1), seen)).toBe(700)
    expect(await estimateHiddenReasoning(hub.app, terms(2), seen)).toBe(43)
    expect(await estimateHiddenReasoning(hub.app, { ...terms(1), budgetMax: 60 }, seen)).toBe(60)
    // The request allows 60 tokens, of which 10 were seen.
    expect(await estimateHiddenReasoning(hub.app, { ...terms(1), outputMax: 60 }, seen)).toBe(50)
    const short = { ...seen, seconds: 0.2 }
    expect(await estimateHiddenReasoning(hub.app, terms(1), short)).toBe(290)
    const rows = () => hub.app.db.selectFrom('reasoning_samples').select('user_id').execute()
    expect((await rows()).filter(each => each.user_id === 1)).toHaveLength(8)
    for (let user = 3; user < 30; user += 1) {
      hub.clock.now += 1_000
      for (let call = 0; call < 8; call += 1) add(key, sample(user, 5))
      await flush()
    }
    expect((await rows()).length).toBeLessThanOrEqual(64)
  })
})

const reason = postgresSkipReason()

describe.skipIf(reason)(`two nodes on PostgreSQL ${reason ?? ''}`, () => {
  it('a node estimates by the calls of another', async () => {
    const postgres = await openPostgres()
    const url = await postgres.migrated('samples')
    const env = { MASTER_KEY: randomBytes(32).toString('base64') }
    const nodes = [await openTestApp(url, env), await openTestApp(url, env)] as const
    const [one, other] = nodes
    reasoningSamples(one.app).add(key, sample(2, 700))
    await reasoningSamples(one.app).flush()
    expect(await estimateHiddenReasoning(other.app, terms(1), seen)).toBe(700)
    for (const node of nodes) await node.close(1)
    await postgres.stop()
  })
})
