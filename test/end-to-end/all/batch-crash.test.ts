import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  serveBatches,
  type VendorBatches,
} from '../../../apps/server/test/stored-objects/batch-vendor.ts'
import {
  type FileVendor,
  startFileVendor,
} from '../../../apps/server/test/stored-objects/vendor.ts'
import { auditLedger } from '../../harness/audit.ts'
import { arm, killedAt } from '../../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../../harness/crash/prepared-hub.ts'
import { accountOf, change, chargesOf, countHolds } from '../../harness/ledger.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'

// A batch that its vendor has ended is charged once, wherever the gateway is killed while it asks and charges.

const startingBalance = 1_000_000_000
const usage = { prompt: 300, output: 100 }
/** Half of 400 points: the batch price. */
const price = 200
const stepsMax = 100
const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)
/** The soak kills at every step; elsewhere each run kills at every tenth, and begins at another one. */
const stride = process.env.HUB_RECOVERY_ROUNDS === undefined ? 10 : 1
const firstStep = 1 + (seed % stride)

const createBatch = async ({ gateway, person }: RestoredHub): Promise<string> => {
  const client = new OpenAI({ apiKey: person.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const body = { model: 'gpt-b', max_tokens: 200, messages: [{ role: 'user', content: 'Hi' }] }
  const line = { custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body }
  const file = await toFile(Buffer.from(`${JSON.stringify(line)}\n`), 'in.jsonl')
  const { id } = await client.files.create({ file, purpose: 'batch' })
  const batch = await client.batches.create({
    input_file_id: id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  return batch.id
}

describeEnginesInParallel(engine => {
  let prepared: Prepared
  let vendor: FileVendor
  let batches: VendorBatches
  beforeAll(async () => {
    vendor = await startFileVendor()
    batches = serveBatches(vendor)
    prepared = await prepare(engine, startingBalance, async ({ admin }) => {
      await admin.addChannel(vendor.url, {
        ...{ type: 1, models: 'gpt-b', key: 'account-one' },
        plugin: { storage: { files: true } },
      })
      await admin.setPrice('gpt-b', 'tokens', 1, 1)
    })
  })
  afterAll(async () => {
    await prepared?.close()
    await vendor?.close()
  })

  it('R2 killed at the steps of charging a batch: it is charged once, and its hold is gone', async () => {
    const restored = await prepared.open()
    const { gateway, where, person } = restored
    const passed: string[] = []
    const pollNow = () =>
      change(where, 'update stored_resources set run_at = 0 where run_at is not null')
    const charged = () => until('the batch is charged', async () => (await countHolds(where)) === 0)
    try {
      await gateway.start({ FAILPOINT: `signal:${firstStep}` })
      for (let step = firstStep; step <= stepsMax; step += stride) {
        const before = await accountOf(where, person.id)
        const id = await createBatch(restored)
        expect(await countHolds(where)).toBe(1)
        batches.finish(id, 'completed', [usage])
        await arm(restored)
        await pollNow()
        await Promise.race([gateway.exited(), charged().catch(() => {})])
        const name = await killedAt(restored)
        if (!name) await gateway.stop('SIGKILL')
        await gateway.start({ FAILPOINT: `signal:${step + stride}` })
        await pollNow()
        await charged()
        const after = await accountOf(where, person.id)
        expect([before.balance - after.balance, after.held], `step ${step}: ${name}`).toEqual([
          price,
          0,
        ])
        await auditLedger(where)
        if (!name) break
        passed.push(name)
      }
      console.log(`R2 on ${engine.name}, a batch: killed at ${passed.length} steps`)
      expect(passed.length).toBeGreaterThan(0)
      const charges = await chargesOf(where, person.id)
      expect(charges.map(each => each.amount)).toEqual(charges.map(() => price))
    } finally {
      await restored.close()
    }
  })
})
