import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { onEnginesSideBySide } from '../harness/each.ts'
import { accountOf, query, transfersOf } from '../harness/ledger.ts'
import { startWorld, type World } from '../harness/world.ts'

const crowdSize = 100
const worth = 12_345

onEnginesSideBySide(engine => {
  let world: World
  beforeAll(async () => {
    // One SQLite file belongs to one process.
    world = await startWorld(engine, { instances: engine.name === 'PostgreSQL' ? 3 : 1 })
  })
  afterAll(() => world?.close())

  const instance = (at: number) => world.gateways[at % world.gateways.length] ?? world.gateway

  const join = async (at: number) => {
    const credentials = { username: `crowd-${at}`, password: `password-${at}` }
    const made = await callApi(instance(at), {}, 'POST', '/api/user/register', credentials)
    expect([made.status, made.message]).toEqual([200, ''])
    const { user, cookie } = await world.admin.signIn(credentials.username, credentials.password)
    return { id: user.id, cookie }
  }

  it('R37 one code and 100 users at once: one success, 99 clean refusals, one posting', async () => {
    const people = await Promise.all(Array.from({ length: crowdSize }, (_, at) => join(at)))
    const [key] = await world.admin.api<string[]>('POST', '/api/redemption/', {
      name: 'for one',
      quota: worth,
    })
    const answers = await Promise.all(
      people.map(({ cookie }, at) =>
        callApi<number>(instance(at), { cookie }, 'POST', '/api/user/topup', { key }),
      ),
    )
    const [winner] = answers.flatMap((each, at) => (each.success ? [people[at]] : []))
    const refused = answers.filter(each => !each.success)
    expect(refused).toHaveLength(crowdSize - 1)
    expect(new Set(refused.map(each => `${each.status} ${each.code}`))).toEqual(
      new Set(['409 redemption.used']),
    )
    const posted = await query(
      world.gateway,
      "select credit, amount from transfers where kind = 'redemption'",
    )
    expect(posted.map(row => [Number(row.credit), Number(row.amount)])).toEqual([
      [winner?.id, worth],
    ])
    for (const { id } of people) {
      const { balance } = await accountOf(world.gateway, id)
      expect([id, balance]).toEqual([id, id === winner?.id ? worth : 0])
    }
    expect(await transfersOf(world.gateway, winner?.id ?? 0)).toHaveLength(1)
    await world.audit()
  })
})
