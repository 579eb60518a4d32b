import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { findBreak } from '../../db/queries/audit.ts'

let hub: TestApp
let user: TestUser
let other: TestUser
const write = async (userId: number, more: object = {}) => {
  const id = hub.app.ledger.nextId()
  const row = {
    id,
    user_id: userId,
    created_at: Math.floor(hub.clock.now / 1000),
    type: 2,
    content: '',
    username: 'u',
    token_name: 't',
    model_name: 'gpt',
    quota: 10,
    prompt_tokens: 3,
    completion_tokens: 4,
    channel_id: 5,
    request_time: 100,
    is_stream: 1,
    source_ip: '1.2.3.4',
    metadata: '{"a":1}',
    ...more,
  }
  await hub.app.db.insertInto('logs').values(row).execute()
  return row
}

const logTests = () => {
  it('S26 a user sees their own logs only, and not which channel served them', async () => {
    const { data } = (await user.get('/api/log/self')).body
    expect(data.total_count).toBe(2)
    for (const row of data.data)
      expect(row).toMatchObject({
        user_id: user.id,
        channel_id: 0,
        is_stream: true,
        metadata: { a: 1 },
      })
    for (const filter of [`user_id=${other.id}`, `userId=${other.id}`, 'username=u'])
      expect((await user.get(`/api/log/self?${filter}`)).body.code).toBe('request.unknown_field')
    expect((await user.get('/api/log/self/stat')).body.data).toEqual({ quota: 17, since: null })
    expect((await user.get('/api/log/self/stat?model_name=claude')).body.data).toEqual({
      quota: 7,
      since: null,
    })
  })

  it('administrators filter by everything', async () => {
    const count = async (query: string) =>
      (await hub.root.get(`/api/log/?log_type=2&${query}`)).body.data.total_count
    expect(await count('')).toBe(3)
    expect(await count('model_name=claude')).toBe(1)
    expect(await count('channel_id=6')).toBe(0)
    expect(await count('source_ip=1.2.3.4&token_name=t')).toBe(3)
    expect(await count(`start_timestamp=${Math.floor(hub.clock.now / 1000) + 1}`)).toBe(0)
    expect((await hub.root.get('/api/log/stat?channel=5')).body.data).toEqual({
      quota: 1017,
      since: null,
    })
  })

  it('a total beyond 10,000 is an estimate and says so', async () => {
    const busyUser = await hub.person()
    const at = Math.floor(hub.clock.now / 1000)
    for (let batch = 0; batch < 21; batch++) {
      const rows = Array.from({ length: 500 }, () => ({
        id: hub.app.ledger.nextId(),
        user_id: busyUser.id,
        created_at: at - 3600,
        type: 2,
        content: '',
        username: '',
        token_name: '',
        model_name: 'm',
        quota: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        channel_id: 0,
        request_time: 0,
        is_stream: 0,
        source_ip: '',
        metadata: '{}',
      }))
      await hub.app.db.insertInto('logs').values(rows).execute()
    }
    const page = async (n: number) =>
      (await busyUser.get(`/api/log/self?size=100&page=${n}`)).body.data
    expect(await page(1)).toMatchObject({ total_exact: false, total_count: 10_001 })
    expect((await page(105)).total_count).toBeGreaterThanOrEqual(10_500)
    expect((await page(106)).data).toEqual([])
  })

  it('old consumption is deleted, what others wrote is kept', async () => {
    const lone = await hub.person()
    const old = Math.floor(hub.clock.now / 1000) - 1_000_000
    await write(lone.id, { created_at: old })
    await write(lone.id, { created_at: old, type: 3 })
    expect((await hub.root.delete(`/api/log/?target_timestamp=${old + 1}`)).body.data).toBe(1)
    expect((await lone.get('/api/log/self')).body.data.total_count).toBe(1)
  })
}

const dashboardTests = () => {
  it('the dashboard has today and seven days before it, in the time zone of the site', async () => {
    const lone = await hub.person()
    const noon = Date.parse('2026-03-10T04:00:00Z')
    const now = hub.clock.now
    const at = (iso: string) => ({ created_at: Date.parse(iso) / 1000 })
    for (const iso of [
      '2026-03-09T15:59:59Z',
      '2026-03-09T16:00:00Z',
      '2026-03-02T16:00:00Z',
      '2026-03-02T15:59:59Z',
    ])
      await write(lone.id, at(iso))
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'Asia/Shanghai' })
    expect((await hub.guest().get('/api/status')).body.data.time_zone).toBe('Asia/Shanghai')
    const days = (
      await (async () => {
        hub.clock.now = noon
        const session = await lone.signIn(lone.username, lone.password)
        expect(session.status).toBe(200)
        return lone.get('/api/user/dashboard')
      })()
    ).body.data
    expect(
      days.map((day: { Date: string; RequestCount: number }) => [day.Date, day.RequestCount]),
    ).toEqual([
      ['2026-03-03', 1],
      ['2026-03-09', 1],
      ['2026-03-10', 1],
    ])
    expect(days[0]).toMatchObject({
      ModelName: 'gpt',
      Quota: 10,
      PromptTokens: 3,
      CompletionTokens: 4,
      RequestTime: 100,
    })
    hub.clock.now = now
  })
}

const auditTests = () => {
  it('every write of an administrator is in the chain, and a planted error breaks it', async () => {
    const { data } = (await hub.root.get('/api/audit/?action=users.create&order=-id')).body.data
    expect(data[0]).toMatchObject({ actor_name: 'root', outcome: '' })
    expect(data[0].input.password).toMatch(/^fingerprint:/)
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        hub.root.post('/api/user_group/', { symbol: `p${n}`, name: 'p' }),
      ),
    )
    expect(await findBreak(hub.app.db)).toBeUndefined()
    const rows = await hub.app.db.selectFrom('audit').select('id').orderBy('id').execute()
    await expect(
      hub.app.db
        .updateTable('audit')
        .set({ actor_name: 'nobody' })
        .where('id', '=', rows[2]!.id)
        .execute(),
    ).rejects.toThrow()
    await expect(
      hub.app.db.deleteFrom('audit').where('id', '=', rows[2]!.id).execute(),
    ).rejects.toThrow()
    await hub.app.db
      .insertInto('audit')
      .values({
        at: 1,
        actor_id: 1,
        actor_name: 'forged',
        action: 'x',
        target: '',
        input: '{}',
        outcome: '',
        source_ip: '',
        request_id: '',
        hash: 'made up',
      })
      .execute()
    expect(await findBreak(hub.app.db)).toBe(rows.at(-1)!.id + 1)
  })

  it('a failed sign-in is written down with its name, and never with its password', async () => {
    await hub.guest().signIn('somebody-unknown', 'a-secret-guess')
    const { text, body } = await hub.root.get('/api/audit/?action=sign-in.login&order=-id')
    expect(body.data.data[0]).toMatchObject({
      actor_name: 'somebody-unknown',
      outcome: 'sign_in.refused',
    })
    expect(text).not.toContain('a-secret-guess')
  })
}

onBothEngines('logs, statistics and the audit log', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person()
    other = await hub.person()
    await write(user.id)
    await write(user.id, { model_name: 'claude', quota: 7 })
    await write(other.id, { quota: 1000 })
  })
  logTests()
  dashboardTests()
  auditTests()
})
