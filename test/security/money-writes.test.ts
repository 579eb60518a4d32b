import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roles } from '@hub/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  onOneEngine,
  type TestApp,
  type TestClient,
  type TestUser,
} from '../../apps/server/test/harness.ts'
import { allEndpoints, fieldsOf } from './contract-calls.ts'
import { callersOfMoneyStatements, moneyFiles } from './money-statements.ts'
import { prepare, type World } from './money-write-calls.ts'
import { type MoneyWrite, moneyWrites, withoutMoney } from './money-write-table.ts'

const keyOf = ({ base, endpoint }: (typeof allEndpoints)[number]) =>
  `${endpoint.method} ${base}${endpoint.path}`
const listed = new Set([...moneyWrites.map(each => each.endpoint), ...Object.keys(withoutMoney)])

/** Resources whose every write has a row or a reason, because their features call statements of money. */
const resources = [
  'payments orders users groups redemptions invitations prices settings profile logs virtual-models',
].flatMap(names => names.split(' '))
/** Fields by which a write of any other resource would move or free money, or give a role. */
const moneyFields = [
  'quota ratio role price prices promotion candidates fixed_fee percent_fee discount',
].flatMap(names => names.split(' '))

describe('writes of money', () => {
  it('S56 every statement of money is reached as the table of files says', () => {
    const expected = Object.entries(moneyFiles).map(([file, [calls]]) => [file, calls])
    expect(callersOfMoneyStatements()).toEqual(Object.fromEntries(expected))
    const endpoints = Object.values(moneyFiles).flatMap(
      ([, reachedBy]) => reachedBy.match(/(?:POST|PUT|DELETE) [^\s,]+/g) ?? [],
    )
    expect(endpoints.filter(each => !listed.has(each))).toEqual([])
  })

  it('S56 every write of money of the contract has a row, or a reason why it has none', () => {
    const writes = allEndpoints.filter(({ name, endpoint }) => {
      if (endpoint.method === 'GET') return false
      const hasField = fieldsOf(endpoint).some(([field]) => moneyFields.includes(field))
      return hasField || resources.includes(name.split('.')[0]!)
    })
    const others = ['POST /api/log/search', 'POST /api/simulator/', 'POST /api/simulator']
    const missing = writes.map(keyOf).filter(each => !listed.has(each) && !others.includes(each))
    expect(missing).toEqual([])
    const offered = new Set(allEndpoints.map(keyOf))
    expect([...listed].filter(each => !offered.has(each))).toEqual([])
  })

  it('S56 docs/security.md has the table of the writes of money', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
    expect(moneyWrites.map(documented).filter(row => !page.includes(row))).toEqual([])
  })
})

const documented = (row: MoneyWrite): string => {
  const { endpoint, what, user, administrator, allowed, root, proof } = row
  const code = (outcome: string) => (/^(yes|–)$/.test(outcome) ? outcome : `\`${outcome}\``)
  const given = allowed ? `${code(allowed[1])} by \`${allowed[0]}\`` : '–'
  return `| \`${endpoint}\` | ${what} | ${code(user)} | ${code(administrator)} | ${given} | ${code(root)} | ${proof ? 'yes' : 'no'} |`
}

type Caller = { client: TestClient; id: number; username: string; role: number }
type Callers = Record<'user' | 'administrator' | 'root' | 'rootByToken' | 'unproved', Caller>
type Stage = Pick<World, 'hub' | 'user' | 'peer' | 'superior'> & {
  callers: Callers
  administrator: TestUser
}

const asCaller = (user: TestUser, role: number): Caller => {
  const { id, username } = user
  return { client: user, id, username, role }
}

const openStage = async (hub: TestApp): Promise<Stage> => {
  const { id, username } = (await hub.root.get('/api/user/self')).body.data
  const administrator = await hub.person(10)
  const rootIn = async (): Promise<Caller> => {
    const client = hub.guest()
    await client.signIn(username, hub.rootPassword)
    return { client, id, username, role: roles.root }
  }
  const callers = {
    user: asCaller(await hub.person(), roles.user),
    administrator: asCaller(administrator, roles.admin),
    root: await rootIn(),
    rootByToken: { client: hub.root, id, username, role: roles.root },
    unproved: await rootIn(),
  }
  const [user, peer] = [await hub.person(), await hub.person(10)]
  return { hub, callers, administrator, user, peer, superior: { id, username } }
}

const prove = async ({ client }: Caller, current_password: string) =>
  expect((await client.post('/api/user/proof', { current_password })).status).toBe(200)

const setOption = async ({ hub }: Stage, key: string, value: string) =>
  expect((await hub.root.put('/api/option/', { key, value })).status).toBe(200)

const countAudited = async ({ hub }: Stage, action: string, actorId: number): Promise<number> => {
  const rows = await hub.app.db
    .selectFrom('audit')
    .select('id')
    .where('action', '=', action)
    .where('actor_id', '=', actorId)
    .where('outcome', '=', '')
    .execute()
  return rows.length
}

/** Prepares the case for the caller, and makes its call. A success must add one row to the audit log. */
const outcomeFor = async (stage: Stage, row: MoneyWrite, caller: Caller): Promise<string> => {
  const make = prepare[`${row.endpoint} ${row.what}`] ?? prepare[row.what] ?? prepare[row.endpoint]
  if (!make) throw new TypeError(`write a call for ${row.endpoint}: ${row.what}`)
  const [method, path, body] = await make({ ...stage, caller }, row.what)
  const action = allEndpoints.find(each => keyOf(each) === row.endpoint)!.name
  const before = await countAudited(stage, action, caller.id)
  const answer = await caller.client.send(method, path, body)
  if (answer.status !== 200) return answer.body.code
  return (await countAudited(stage, action, caller.id)) === before + 1 ? 'yes' : 'not audited'
}

const outcomesOf = async (stage: Stage, row: MoneyWrite): Promise<Record<string, string>> => {
  const { hub, callers, administrator } = stage
  // Limits of calls per minute and of orders per hour are not under test.
  hub.clock.now += 60_000
  await prove(callers.administrator, administrator.password)
  await prove(callers.root, hub.rootPassword)
  const found: Record<string, string> = {
    user: row.user === '–' ? '–' : await outcomeFor(stage, row, callers.user),
    administrator: await outcomeFor(stage, row, callers.administrator),
    root: await outcomeFor(stage, row, callers.root),
    rootByToken: await outcomeFor(stage, row, callers.rootByToken),
    unproved: await outcomeFor(stage, row, callers.unproved),
  }
  if (row.allowed) {
    await setOption(stage, row.allowed[0], 'true')
    found.allowed = await outcomeFor(stage, row, callers.administrator)
    await setOption(stage, row.allowed[0], 'false')
  }
  if (row.what === 'DefaultPrice') await setOption(stage, 'DefaultPrice', '')
  if (row.what.startsWith('Admin')) await setOption(stage, row.what, 'false')
  return found
}

onOneEngine('writes of money by role', open => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(await open())
  })

  it.each(moneyWrites.map(row => [`${row.endpoint}: ${row.what}`, row] as const))(
    'S56 has the outcome of the table for every role, and is audited: %s',
    async (_, row) => {
      expect(await outcomesOf(stage, row)).toEqual({
        user: row.user,
        administrator: row.administrator,
        root: row.root,
        rootByToken: row.root,
        unproved: row.proof ? 'access.proof_needed' : row.root,
        ...(row.allowed && { allowed: row.allowed[1] }),
      })
    },
  )

  it('S56 a proof is valid for ten minutes, in its own session only', async () => {
    const { hub, callers, user } = stage
    const { client } = callers.root
    const give = async (by: TestClient) =>
      (await by.post(`/api/user/quota/${user.id}`, { quota: 1, remark: '' })).body.code
    await prove(callers.root, hub.rootPassword)
    expect(await give(client)).toBeUndefined()
    expect(await give(callers.unproved.client)).toBe('access.proof_needed')
    hub.clock.now += 600_000
    expect(await give(client)).toBeUndefined()
    hub.clock.now += 1_000
    expect(await give(client)).toBe('access.proof_needed')
    const wrong = await client.post('/api/user/proof', { current_password: 'not-it' })
    expect(wrong.body.code).toBe('password.wrong')
    expect(await give(client)).toBe('access.proof_needed')
  })
})
