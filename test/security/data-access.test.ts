import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { change, query } from '../harness/ledger.ts'
import { describeOneEngineBeforeSoak } from '../harness/runner/describe-engines.ts'
import { addPasskey } from '../harness/sign-in/passkeys.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { accessTable, lowestRoles } from './access-table.ts'
import { words } from './column-names.ts'
import { columnTable } from './column-table.ts'
import { allEndpoints } from './contract-calls.ts'
import { writeTable } from './write-table.ts'

type Role = keyof typeof lowestRoles
type Fields = Record<string, unknown>

const keyOf = ([method, path]: readonly [string, string, ...unknown[]]) => `${method} ${path}`
/** The names of the columns, as answers and bodies have them, that the role may see. */
const visibleTo = (table: string, role: Role): string[] => {
  const { columns, sentAs = {} } = columnTable[table]!
  return Object.entries(columns)
    .filter(([reader]) => reader !== 'none' && lowestRoles[reader as Role] <= lowestRoles[role])
    .flatMap(([, names]) => words(names))
    .map(name => sentAs[name] ?? name)
}

const columnsOf = (table: string): string[] =>
  Object.values(columnTable[table]!.columns).flatMap(words)

/** Every name that a write with rows of the table might take. */
const candidatesOf = (table: string): string[] => {
  const { sentAs = {}, reads = [] } = columnTable[table]!
  const taken = Object.values(writeTable).filter(([each]) => each === table)
  return [
    ...new Set([
      ...columnsOf(table),
      ...Object.values(sentAs),
      ...reads.flatMap(([, , computed]) => words(computed)),
      ...taken.flatMap(([, fields]) => words(fields)),
    ]),
  ]
}

const firstRow = (data: unknown): Fields => {
  const list = (data as { data?: unknown[] } | null)?.data ?? data
  return (Array.isArray(list) ? list[0] : list) as Fields
}

/** Fields at any depth. Keys of a map, such as names of models, are among them. */
const keysIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Array.isArray(value)
      ? value.flatMap(keysIn)
      : Object.entries(value).flatMap(([key, each]) => [key, ...keysIn(each)])

describeOneEngineBeforeSoak(engine => {
  let hub: TestHub
  let user: Person
  let admin: Person
  const sessionOf = (role: Role) =>
    ({
      visitor: {},
      user: { cookie: user.cookie },
      administrator: { cookie: admin.cookie },
      root: { bearer: hub.gateway.accessToken },
    })[role]
  const call = <T>(role: Role, method: string, path: string, body?: unknown) =>
    callApi<T>(hub.gateway, sessionOf(role), method, path, body)
  /** A quick machine makes more calls than the limit of a minute, and then waits for the next one. */
  const asRoot = async (method: string, path: string, body?: unknown) => {
    for (;;) {
      const response = await call<unknown>('root', method, path, body)
      if (response.code !== 'rate.api') return response
      await pause(1_000)
    }
  }

  /** One row in every list that `columnTable` names. */
  const addRows = async () => {
    expect((await hub.ask({ key: user.key, model: 'any:out=1' })).complete).toBe(true)
    await hub.settled()
    await addPasskey(hub.gateway, user)
    const config = { pay_domain: 'https://pay.example', partner_id: '1', key: 'a key' }
    const gateway = { type: 'epay', name: 'pay', icon: 'pay', currency: 'CNY', config }
    const made = await call<{ uuid: string }>('root', 'POST', '/api/payment/', gateway)
    await call('user', 'POST', '/api/user/order', { uuid: made.data.uuid, amount: 1 })
    await asRoot('POST', '/api/custom-oauth-provider/', {
      name: 'Company',
      slug: 'company',
      issuer: 'https://id.example',
      client_id: 'app',
      client_secret: 'made-up',
    })
    for (const [role, base] of [
      ['root', '/api/notification/'],
      ['user', '/api/user/notification/'],
    ] as const) {
      const config = { url: 'http://127.0.0.1:1/', secret: 'made-up-secret-16' }
      const target = { name: 'hook', type: 'webhook', config }
      const { data } = await call<{ id: number }>(role, 'POST', base, target)
      await call(role, 'POST', `${base}${data.id}/test`)
    }
    const text = { parse_mode: 'html', reply_message: 'Hello' }
    await asRoot('POST', '/api/option/telegram/', { command: 'site', description: 'Site', ...text })
    await asRoot('POST', '/api/system_info/backup')
    await asRoot('POST', '/api/channel/test/1', { model: 'any:out=1' })
    for (const status of [2, 1]) await asRoot('PUT', '/api/channel/', { id: 1, status })
    await asRoot('POST', '/api/redemption/', { name: 'code', quota: 5, count: 1 })
    const price = { model: 'm', type: 'tokens', input: 1, output: 1, channel_type: 1 }
    await asRoot('POST', '/api/prices/multiple', { models: ['m'], price })
    const candidates = [{ model: 'm' }]
    await asRoot('POST', '/api/virtual_model/', { name: 'virtual', candidates })
    await asRoot('POST', '/api/model_info/', { model: 'm', name: 'M' })
    const at = Math.floor(Date.now() / 1000) + 86_400
    await asRoot('POST', '/api/prices/schedule', { models: ['m'], price, at })
    await asRoot('POST', '/api/prices/multiple', { models: ['m', 'n'], price })
    await change(
      hub.gateway,
      `insert into invitations (user_id, inviter_id, address, created_at, state, reason, gift, gift_given, reward,
        reward_given, moves, decided_by) values (${user.id}, 1, '', 1, 'waiting', '', 0, 0, 1, 0, 0, '')`,
    )
    await change(
      hub.gateway,
      `insert into invoices (user_id, month, status, revision, amount_micros, requests, quota, prompt_tokens,
        completion_tokens, request_time, created_at) values (${user.id}, '2025-01', 'unpaid', 1, 1, 1, 1, 1, 1, 1, 1)`,
    )
  }

  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('UserInvoiceMonth', 'true')
    user = await hub.admin.addPerson(1_000_000)
    admin = await hub.admin.addPerson(1_000_000, {}, { role: lowestRoles.administrator })
    await addRows()
  })
  afterAll(() => hub?.close())

  /** Without the partitions of the log, which have the columns of `logs`. */
  const databaseColumns = async (): Promise<string[]> => {
    const rows = await query(
      hub.gateway,
      hub.gateway.databaseUrl
        ? `select table_name || '.' || column_name as name from information_schema.columns
            where table_schema = current_schema()`
        : `select m.name || '.' || c.name as name from sqlite_master m, pragma_table_info(m.name) c
            where m.type = 'table'`,
    )
    return rows
      .map(({ name }) => String(name))
      .filter(name => !/^(sqlite_|kysely_|migrations?\b|logs_)/.test(name))
  }

  it('S24 C3 the column table has every column of the database, and no others', async () => {
    const listed = Object.keys(columnTable).flatMap(table =>
      columnsOf(table).map(name => `${table}.${name}`),
    )
    expect(listed.sort()).toEqual((await databaseColumns()).sort())
  })

  it('S24 C3 a row has the columns that the column table gives its reader, and no others', async () => {
    for (const [table, { reads = [] }] of Object.entries(columnTable))
      for (const [role, path, computed] of reads) {
        const { data, status } = await call(role, 'GET', path)
        const names = Object.keys(firstRow(data) ?? {}).sort()
        const expected = [...visibleTo(table, role), ...words(computed)].sort()
        expect([path, status, names]).toEqual([path, 200, expected])
      }
  })

  it('S24 no answer has a column that the column table gives nobody', async () => {
    // Other names of hidden columns are common words, which computed figures have too.
    const hidden = Object.values(columnTable)
      .flatMap(({ columns }) => words(columns.none ?? ''))
      .filter(name => /_hash$|_sealed$|^subject$|^last_step$|^username_key$/.test(name))
    const found: string[] = []
    for (const [method, path, lowest] of accessTable) {
      if (method !== 'GET' || path.includes('logout')) continue
      for (const role of ['visitor', 'user', 'administrator', 'root'] as const) {
        if (lowestRoles[role] < lowestRoles[lowest]) continue
        const { data } = await call(role, method, path.replace(/:\w+/, '1'))
        const names = keysIn(data).filter(name => hidden.includes(name))
        found.push(...names.map(name => `${path} ${role}: ${name}`))
      }
    }
    expect([...new Set(found)]).toEqual([])
    expect(hidden).toEqual(expect.arrayContaining(['password_hash', 'secret_sealed', 'subject']))
  })

  it('S25 C3 the write table has every write of the contract, and no others', () => {
    const writes = accessTable.filter(([method]) => method !== 'GET').map(keyOf)
    expect(Object.keys(writeTable).sort()).toEqual(writes.sort())
  })

  it('S25 C3 a write takes the fields of the write table, and no other column of its table', async () => {
    const wrong: string[] = []
    for (const [write, [table, fields]] of Object.entries(writeTable)) {
      const [method, path] = write.split(' ') as [string, string]
      const endpoint = allEndpoints.find(each => keyOf(endpointOf(each)) === write)?.endpoint
      const url = path.replace(/:\w+|\*\w+/g, '999999')
      for (const name of candidatesOf(table)) {
        if (new RegExp(`[:*]${name}\\b`).test(path) || endpoint?.ignored?.includes(name)) continue
        const { code } = await asRoot(method, url, { [name]: [[Number.MAX_VALUE]] })
        const expected = words(fields).includes(name) ? 'request.invalid' : 'request.unknown_field'
        if (code !== expected) wrong.push(`${write} ${name}: ${code}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('S25 a field that a write ignores because clients send whole rows back stays as it is', async () => {
    const tried: string[] = []
    for (const each of allEndpoints) {
      const { ignored = [], method } = each.endpoint
      if (ignored.length === 0 || each.endpoint.path.includes(':')) continue
      const write = keyOf(endpointOf(each))
      const [table] = writeTable[write]!
      const [, , lowest] = accessTable.find(row => keyOf(row) === write)!
      const reads = columnTable[table]!.reads!
      // A list that visitors read has no other for those who write its rows.
      const [, list] = reads.find(([role]) => role === lowest) ?? reads[0]!
      const writer = lowest === 'user' ? 'user' : 'root'
      const read = async () => firstRow((await call(writer, 'GET', list)).data)
      const before = await read()
      for (const name of ignored) {
        const body = { id: before.id, [name]: otherOf(before[name]) }
        const { status, message } = await call(writer, method, each.base + each.endpoint.path, body)
        expect([write, name, status, message]).toEqual([write, name, 200, ''])
      }
      expect([write, await read()]).toEqual([write, before])
      tried.push(write)
    }
    expect(tried).toHaveLength(12)
  })
})

const endpointOf = ({ base, endpoint }: (typeof allEndpoints)[number]): [string, string] => [
  endpoint.method,
  base + endpoint.path,
]

const otherOf = (value: unknown): unknown =>
  typeof value === 'number'
    ? value + 1
    : typeof value === 'boolean'
      ? !value
      : typeof value === 'object'
        ? {}
        : 'another'
