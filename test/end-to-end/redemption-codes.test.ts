import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { accountOf, query, transfersOf } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const clientCount = 100
const quota = 12_345

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    // One SQLite file belongs to one process.
    hub = await startTestHub(engine, { instances: engine.name === 'PostgreSQL' ? 3 : 1 })
  })
  afterAll(() => hub?.close())

  const instance = (at: number) => hub.gateways[at % hub.gateways.length] ?? hub.gateway

  const join = async (at: number) => {
    const credentials = { username: `crowd-${at}`, password: `password-${at}` }
    const made = await callApi(instance(at), {}, 'POST', '/api/user/register', credentials)
    expect([made.status, made.message]).toEqual([200, ''])
    const { user, cookie } = await hub.admin.signIn(credentials.username, credentials.password)
    return { id: user.id, cookie }
  }

  it('R37 one code and 100 users at once: one success, 99 clean refusals, one posting', async () => {
    const people = await Promise.all(Array.from({ length: clientCount }, (_, at) => join(at)))
    const [key] = await hub.admin.api<string[]>('POST', '/api/redemption/', {
      name: 'for one',
      quota: quota,
    })
    const answers = await Promise.all(
      people.map(({ cookie }, at) =>
        callApi<number>(instance(at), { cookie }, 'POST', '/api/user/topup', { key }),
      ),
    )
    const [winner] = answers.flatMap((each, at) => (each.success ? [people[at]] : []))
    const refused = answers.filter(each => !each.success)
    expect(refused).toHaveLength(clientCount - 1)
    expect(new Set(refused.map(each => `${each.status} ${each.code}`))).toEqual(
      new Set(['409 redemption.used']),
    )
    const posted = await query(
      hub.gateway,
      "select credit, amount from transfers where kind = 'redemption'",
    )
    expect(posted.map(row => [Number(row.credit), Number(row.amount)])).toEqual([
      [winner?.id, quota],
    ])
    for (const { id } of people) {
      const { balance } = await accountOf(hub.gateway, id)
      expect([id, balance]).toEqual([id, id === winner?.id ? quota : 0])
    }
    expect(await transfersOf(hub.gateway, winner?.id ?? 0)).toHaveLength(1)
    await hub.audit()
  })
})
