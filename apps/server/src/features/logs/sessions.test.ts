import type { CallSession, Log } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../../../test/upstream/start.ts'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import { errorLog } from '../../relay/error-log/error-log.ts'

let hub: TestApp
let upstream: Upstream
let url: string
let user: TestUser
let other: TestUser

const makeKey = async (owner: TestUser): Promise<string> => {
  const fields = { name: 'agent', unlimited_quota: true, expired_time: -1 }
  return (await owner.post('/api/token/', fields)).body.data.key
}

type Request = { path: string; headers?: Record<string, string>; body: object }

const call = async (key: string, { path, headers, body }: Request) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  await errorLog(hub.app).flush()
  return response.status
}

const uuid = (digit: number) => `0198f0a2-7c11-7b52-9d3e-${String(digit).repeat(12)}`
const input = [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }]
const messages = [{ role: 'user', content: 'hi' }]
const account = `user_${'a'.repeat(64)}_account_${uuid(0)}`

/** The parts of each client's request that name its session. */
const clients: Record<string, Request & { session: string }> = {
  'Claude Code': {
    session: uuid(1),
    path: '/v1/messages?beta=true',
    headers: {
      'x-claude-code-session-id': uuid(1),
      'user-agent': 'claude-cli/2.1.50 (external, cli)',
    },
    body: {
      ...{ model: 'm', max_tokens: 32, messages },
      metadata: {
        user_id: JSON.stringify({ device_id: 'a', account_uuid: '', session_id: uuid(1) }),
      },
    },
  },
  'Claude Code without the header': {
    session: uuid(2),
    path: '/v1/messages',
    body: {
      ...{ model: 'm', max_tokens: 32, messages },
      metadata: { user_id: `${account}_session_${uuid(2)}` },
    },
  },
  Codex: {
    session: uuid(3),
    path: '/v1/responses',
    headers: { session_id: uuid(3), originator: 'codex_cli_rs' },
    body: { model: 'm', input, stream: true, store: false, prompt_cache_key: uuid(3) },
  },
  'Codex behind a proxy that drops headers with underscores': {
    session: uuid(4),
    path: '/v1/responses',
    body: { model: 'm', input, stream: true, store: false, prompt_cache_key: uuid(4) },
  },
  OpenCode: {
    session: 'ses_7f00aa11bb22',
    path: '/v1/chat/completions',
    headers: { 'x-session-affinity': 'ses_7f00aa11bb22', 'x-session-id': 'ses_7f00aa11bb22' },
    body: { model: 'm', messages },
  },
  'Gemini CLI with a header of its own': {
    session: 'my-session',
    path: '/v1beta/models/m:generateContent',
    headers: { 'x-session-id': 'my-session', 'user-agent': 'GeminiCLI/0.20.0/m (linux; x64)' },
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
}

const list = async (who: Pick<TestUser, 'get'>, path: string) =>
  (await who.get(`/api/log/${path}`)).body.data as { data: CallSession[]; next: string | null }
const callsOf = async (who: Pick<TestUser, 'get'>, path: string): Promise<Log[]> =>
  (await who.get(`/api/log/${path}`)).body.data.data

const relayTests = () => {
  it('each client’s calls are one session, whose figures are the sums of its log rows', async () => {
    const key = await makeKey(user)
    for (const [name, client] of Object.entries(clients))
      for (const _ of [1, 2]) expect([name, await call(key, client)]).toEqual([name, 200])
    expect(await call(key, { path: '/v1/chat/completions', body: { model: 'm', messages } })).toBe(
      200,
    )
    const { data, next } = await list(user, 'self/sessions')
    expect(next).toBeNull()
    expect(data.map(each => each.key).toSorted()).toEqual(
      Object.values(clients)
        .map(({ session }) => session)
        .toSorted(),
    )
    for (const session of data) {
      const rows = await callsOf(
        user,
        `self?order=created_at&session=${encodeURIComponent(session.key)}`,
      )
      expect(rows.map(({ metadata }) => metadata.session)).toEqual([session.key, session.key])
      const sum = (of: (row: Log) => number) => rows.reduce((total, row) => total + of(row), 0)
      expect(session).toEqual({
        ...{ key: session.key, user_id: user.id, username: user.username, complete: true },
        ...{ calls: 2, errors: 0, models: ['m'], quota: sum(row => row.quota) },
        prompt_tokens: sum(row => row.prompt_tokens),
        completion_tokens: sum(row => row.completion_tokens),
        ...{ read_tokens: 0, written_tokens: 0 },
        request_time: sum(row => row.request_time),
        first_at: rows[0]!.created_at,
        last_at: rows[1]!.created_at,
      })
      expect(session.quota).toBeGreaterThan(0)
    }
  })

  it('failed calls count as errors of their session, also one that was refused before its body was read', async () => {
    const key = await makeKey(user)
    const headers = { session_id: 'failing' }
    const body = { model: 'unknown', messages }
    expect(await call(key, { path: '/v1/chat/completions', headers, body })).toBe(404)
    await hub.root.put('/api/user_group/', { id: 1, api_rate: 1 })
    const statuses = new Set<number>()
    for (let n = 0; n < 3; n++)
      statuses.add(await call(key, { path: '/v1/chat/completions', headers, body }))
    await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
    expect(statuses.has(429)).toBe(true)
    const [session] = (await list(user, 'self/sessions?size=1')).data
    expect(session).toMatchObject({ key: 'failing', calls: 0, errors: 4, quota: 0 })
  })
}

const ownerTests = () => {
  it('S26 two users with one key have a session each, and a user sees their own alone', async () => {
    const request = { path: '/v1/chat/completions', body: { model: 'm', messages } }
    const headers = { 'x-session-id': 'shared' }
    await call(await makeKey(user), { ...request, headers })
    await call(await makeKey(other), { ...request, headers })
    expect((await list(other, 'self/sessions')).data).toMatchObject([{ key: 'shared', calls: 1 }])
    expect(await callsOf(other, 'self?session=shared')).toHaveLength(1)
    const all = (await list(hub.root, 'sessions')).data.filter(({ key }) => key === 'shared')
    expect(all.map(each => [each.user_id, each.calls]).toSorted()).toEqual(
      [user.id, other.id].map(id => [id, 1]).toSorted(),
    )
    const ofOther = (await list(hub.root, `sessions?user_id=${other.id}`)).data
    expect(ofOther.map(each => each.user_id)).toEqual([other.id])
    expect((await other.get('/api/log/sessions')).status).toBe(403)
    expect((await other.get(`/api/log/self/sessions?user_id=${user.id}`)).status).toBe(422)
  })

  it('a session key is stored in bounded length, and cannot pretend to be another field', async () => {
    const key = await makeKey(other)
    const keys = ['k'.repeat(4_000), '","group_name":"x', 'a b']
    for (const session_id of keys)
      await call(key, {
        path: '/v1/chat/completions',
        headers: { session_id },
        body: { model: 'm', messages },
      })
    const { data } = await list(other, 'self/sessions?size=3')
    for (const each of data) expect(each.key).toMatch(/^sha256:[0-9a-f]{32}$/)
    expect(new Set(data.map(each => each.key)).size).toBe(3)
  })
}

/** Rows of 60 sessions, whose calls mix, with two users. */
const writeMany = async () => {
  const at = Math.floor(hub.clock.now / 1000) + 1_000
  const rows: LogsTable[] = Array.from({ length: 900 }, (_, n) => ({
    ...{
      id: hub.app.ledger.nextId(),
      user_id: n % 3 ? user.id : other.id,
      created_at: at + (n >> 1),
    },
    ...{
      type: n % 10 ? 2 : 5,
      content: '',
      username: 'u',
      token_name: 't',
      model_name: 'm',
      quota: n,
    },
    ...{ prompt_tokens: 1, completion_tokens: 2, channel_id: 0, request_time: 3, is_stream: 0 },
    source_ip: '',
    metadata: JSON.stringify(n % 7 ? { session: `many-${(n * n) % 59}` } : {}),
  }))
  for (let from = 0; from < rows.length; from += 300)
    await hub.app.db
      .insertInto('logs')
      .values(rows.slice(from, from + 300))
      .execute()
  return rows.filter(({ metadata }) => metadata !== '{}')
}

const pageTests = () => {
  it('pages follow each other without gap or repetition, by the newest row, while new calls arrive', async () => {
    const written = await writeMany()
    const newest = new Map<string, LogsTable>()
    for (const row of written) newest.set(`${row.user_id} ${JSON.parse(row.metadata).session}`, row)
    const expected = [...newest]
      .toSorted(([, a], [, b]) => b.created_at - a.created_at || b.id - a.id)
      .map(([name]) => name)
    const found: string[] = []
    let after = ''
    for (;;) {
      const page = await list(hub.root, `sessions?size=7${after}`)
      found.push(...page.data.map(each => `${each.user_id} ${each.key}`))
      if (page.next === null) break
      after = `&after=${page.next}`
      if (found.length === 14)
        await hub.app.db
          .insertInto('logs')
          .values({
            ...written.at(-1)!,
            ...{ id: hub.app.ledger.nextId(), created_at: written.at(-1)!.created_at + 5 },
          })
          .execute()
    }
    expect(found.filter(name => name.includes('many-'))).toEqual(expected)
    expect(new Set(found).size).toBe(found.length)
    const one = (await list(hub.root, `sessions?size=100&user_id=${other.id}`)).data
    const key = one[0]!.key
    const rows = written.filter(
      row => row.user_id === other.id && JSON.parse(row.metadata).session === key,
    )
    const charged = rows.filter(({ type }) => type === 2)
    expect(one[0]).toMatchObject({
      ...{ calls: charged.length, errors: rows.length - charged.length },
      quota: charged.reduce((sum, { quota }) => sum + quota, 0),
    })
  })

  it('a session of many calls does not hide the older ones, nor does its page read them all', async () => {
    const many = await hub.person(1)
    const at = Math.floor(hub.clock.now / 1000)
    const row = (n: number, session: string) => ({
      ...{
        id: hub.app.ledger.nextId(),
        user_id: many.id,
        created_at: at - n,
        type: 2,
        content: '',
      },
      ...{ username: 'u', token_name: 't', model_name: 'm', quota: 1, prompt_tokens: 1 },
      ...{ completion_tokens: 1, channel_id: 0, request_time: 1, is_stream: 0, source_ip: '' },
      metadata: JSON.stringify({ session }),
    })
    const rows = Array.from({ length: 11_000 }, (_, n) => row(n, 'long'))
    for (let from = 0; from < rows.length; from += 500)
      await hub.app.db
        .insertInto('logs')
        .values(rows.slice(from, from + 500))
        .execute()
    await hub.app.db
      .insertInto('logs')
      .values([row(20_000, 'old')])
      .execute()
    const { data, next } = await list(many, 'self/sessions')
    expect(next).toBeNull()
    expect(data).toMatchObject([
      { key: 'long', complete: false },
      { key: 'old', complete: true, calls: 1 },
    ])
    expect(data[0]!.calls).toBe(10_000)
  })

  it('a cursor that is none, and a size above the bound, are refused', async () => {
    for (const query of ['after=x', 'size=0', 'size=101'])
      expect((await hub.root.get(`/api/log/sessions?${query}`)).status).toBe(400)
  })
}

onBothEngines('sessions of clients', open => {
  beforeAll(async () => {
    hub = await open()
    upstream = await startUpstream()
    url = `http://127.0.0.1:${await hub.listen()}`
    await hub.root.post('/api/channel/', {
      ...{ type: 1, key: 'sk-vendor', models: 'm', group: 'default', name: 'a' },
      base_url: `${upstream.url}/a`,
    })
    await hub.root.post('/api/prices/single', {
      model: 'm',
      type: 'tokens',
      input: 100,
      output: 100,
    })
    await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
    user = await hub.person(1, { quota: 50_000_000 })
    other = await hub.person(1, { quota: 50_000_000 })
  })
  afterAll(() => upstream?.close())
  relayTests()
  ownerTests()
  pageTests()
})
