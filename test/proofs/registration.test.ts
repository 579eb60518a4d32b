import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { onEnginesSideBySide } from '../harness/each.ts'
import { accountOf, query } from '../harness/ledger.ts'
import { startWorld, type World } from '../harness/world.ts'

const crowdSize = 100
const gift = { QuotaForNewUser: 1000, QuotaForInvitee: 200, QuotaForInviter: 30 }

onEnginesSideBySide(engine => {
  let world: World
  let inviter: Person
  let code: string
  beforeAll(async () => {
    // One SQLite file belongs to one process.
    world = await startWorld(engine, { instances: engine.name === 'PostgreSQL' ? 3 : 1 })
    inviter = await world.admin.addPerson(0)
    const session = { cookie: inviter.cookie }
    code = (await callApi<string>(world.gateway, session, 'GET', '/api/user/aff')).data
    for (const [key, value] of Object.entries(gift)) await world.admin.setOption(key, String(value))
    // The other nodes hear of settings within 300 ms.
    await new Promise(resolve => setTimeout(resolve, 1000))
  })
  afterAll(() => world?.close())

  const register = (username: string, at: number) =>
    callApi(
      world.gateways[at % world.gateways.length] ?? world.gateway,
      {},
      'POST',
      '/api/user/register',
      { username, password: 'a-password', aff_code: code },
    )
  const rush = (nameOf: (at: number) => string) =>
    Promise.all(Array.from({ length: crowdSize }, (_, at) => register(nameOf(at), at)))
  const granted = async () =>
    (
      await query(
        world.gateway,
        `select kind, count(*) as n, sum(amount) as total from transfers
          where kind in ('grant', 'invitee', 'inviter') and credit <> 1
          group by kind order by kind`,
      )
    ).map(row => [row.kind, Number(row.n), Number(row.total)])
  const counters = async () => {
    const [row] = await query(
      world.gateway,
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
    await world.audit()
  })

  it('R38 100 names by one invitation at once: each is granted once, and no counter is lost', async () => {
    const before = (await accountOf(world.gateway, inviter.id)).balance
    const answers = await rush(at => `invited-${at}`)
    expect(answers.filter(each => !each.success)).toEqual([])
    expect(await granted()).toEqual([
      ['grant', 101, 101_000],
      ['invitee', 101, 20_200],
      ['inviter', 101, 3_030],
    ])
    expect(await counters()).toEqual([101, 3_030])
    expect((await accountOf(world.gateway, inviter.id)).balance).toBe(before + 3_000)
    await world.audit()
  })
})
