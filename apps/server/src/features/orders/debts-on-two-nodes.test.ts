import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { perDollar } from '../../../test/payments/describe-vendors.ts'
import { expectCleanAudit } from '../../../test/payments/hub.ts'
import { dispute, pay, payments, prepare, spendAll } from '../../../test/payments/reversals.ts'
import { openPostgres, postgresSkipReason } from '../../../test/postgres.ts'

const missing = postgresSkipReason()

describe.skipIf(missing)(
  missing ? `debts on two nodes (skipped: ${missing})` : 'debts on two nodes',
  () => {
    let postgres: Awaited<ReturnType<typeof openPostgres>>
    const nodes: TestApp[] = []
    beforeAll(async () => {
      postgres = await openPostgres()
      const database = await postgres.migrated('debts')
      const more = { MASTER_KEY: randomBytes(32).toString('base64') }
      for (let at = 0; at < 2; at += 1) nodes.push(await openTestApp(database, more))
      await prepare(async () => nodes[0]!)
    })
    afterAll(async () => {
      for (const each of nodes) await each.close(1)
      await postgres?.stop()
    })

    it('R35 top-ups at both nodes at once pay the debts of two orders once', async () => {
      const [first, second] = nodes
      const user = await first!.person()
      const elsewhere = second!.guest()
      expect((await elsewhere.signIn(user.username, user.password)).status).toBe(200)
      const orders = [await pay(user, 5), await pay(user, 15)]
      await spendAll(user)
      for (const each of orders) await dispute(each, 'lost')
      const made = await first!.root.post('/api/redemption/', {
        ...{ name: 'c', quota: 3 * perDollar, count: 12 },
      })
      const keys: string[] = made.body.data
      const answers = await Promise.all(
        keys.map((key, at) => (at % 2 === 0 ? user : elsewhere).post('/api/user/topup', { key })),
      )
      expect(answers.map(each => each.status)).toEqual(keys.map(() => 200))
      expect(await payments.balance(user)).toBe((36 - 20) * perDollar)
      for (const each of orders) expect((await payments.order(each)).debt).toBe(0)
      const postings = await first!.app.db
        .selectFrom('transfers')
        .select('amount')
        .where('kind', '=', 'debt')
        .execute()
      expect(postings.reduce((sum, each) => sum + each.amount, 0)).toBe(20 * perDollar)
      await expectCleanAudit(first!)
    })
  },
)
