import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { accountOf, query } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

type Setting = { key: string; value: string }

const clientCount = 100
const gift = { QuotaForNewUser: 1000, QuotaForInvitee: 200, QuotaForInviter: 30 }

describeEnginesInParallel(engine => {
  let hub: TestHub
  let inviter: Person
  let code: string
  beforeAll(async () => {
    // One SQLite file belongs to one process.
    hub = await startTestHub(engine, { instances: engine.name === 'PostgreSQL' ? 3 : 1 })
    inviter = await hub.admin.addPerson(0)
    const session = { cookie: inviter.cookie }
    code = (await callApi<string>(hub.gateway, session, 'GET', '/api/user/aff')).data
    await hub.admin.setOption('InviterRewardTime', 'at_once')
    for (const cap of ['Inviter', 'Address', 'Day'] as const)
      await hub.admin.setOption(`InvitationsPer${cap}Max`, '0')
    for (const [key, value] of Object.entries(gift)) await hub.admin.setOption(key, String(value))
    const root = { bearer: hub.gateway.accessToken }
    for (const node of hub.gateways)
      await until('the node has the settings', async () => {
        const { data } = await callApi<Setting[]>(node, root, 'GET', '/api/option/')
        return Object.entries(gift).every(([key, value]) =>
          data.some(each => each.key === key && Number(each.value) === value),
        )
      })
  })
  afterAll(() => hub?.close())

  const register = (username: string, at: number) =>
    callApi(
      hub.gateways[at % hub.gateways.length] ?? hub.gateway,
      {},
      'POST',
      '/api/user/register',
      { username, password: 'a-password', aff_code: code },
    )
  const rush = (nameOf: (at: number) => string) =>
    Promise.all(Array.from({ length: clientCount }, (_, at) => register(nameOf(at), at)))
  const granted = async () =>
    (
      await query(
        hub.gateway,
        `select kind, count(*) as n, sum(amount) as total from transfers
          where kind in ('grant', 'invitee', 'inviter') and credit <> 1
          group by kind order by kind`,
      )
    ).map(row => [row.kind, Number(row.n), Number(row.total)])
  const counters = async () => {
    const [row] = await query(
      hub.gateway,
      `select aff_count, aff_quota from users where id = ${inviter.id}`,
    )
    return [Number(row?.aff_count), Number(row?.aff_quota)]
  }

  it('R38 one name registered 100 times at once, and again later: everything is granted once', async () => {
    const once = [
      ['grant', 1, 1000],
      ['invitee', 1, 200],
      ['inviter', 1, 30],
    ]
    const answers = await rush(() => 'the-only-one')
    expect(answers.filter(each => each.success)).toHaveLength(1)
    const refused = answers.filter(each => !each.success)
    expect(new Set(refused.map(each => `${each.status} ${each.code}`))).toEqual(
      new Set(['409 resource.exists']),
    )
    expect([await granted(), await counters()]).toEqual([once, [1, 30]])

    for (const each of await rush(() => 'the-only-one')) expect(each.code).toBe('resource.exists')
    expect([await granted(), await counters()]).toEqual([once, [1, 30]])
    await hub.audit()
  })

  it('R38 100 names by one invitation at once: each is granted once, and no counter is lost', async () => {
    const before = (await accountOf(hub.gateway, inviter.id)).balance
    const answers = await rush(at => `invited-${at}`)
    expect(answers.filter(each => !each.success)).toEqual([])
    expect(await granted()).toEqual([
      ['grant', 101, 101_000],
      ['invitee', 101, 20_200],
      ['inviter', 101, 3_030],
    ])
    expect(await counters()).toEqual([101, 3_030])
    expect((await accountOf(hub.gateway, inviter.id)).balance).toBe(before + 3_000)
    await hub.audit()
  })
})
