import { isAudited } from '@hub/contract'
import { expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestClient } from '../../../test/harness.ts'
import { findBreak } from '../../db/queries/audit.ts'
import { auditedRowsOf } from '../../http/audit/rows.ts'
import { features } from '../index.ts'

type Row = { action: string; actor_name: string; changes: unknown[]; outcome: string; at: number }

const rowsOf = async (client: TestClient, query = ''): Promise<Row[]> => {
  const { body } = await client.get(`/api/audit/?size=100&order=-id&${query}`)
  return body.data.data
}

it('rows are compared in every resource that administrators write to, except deleted logs, started backups and new rules that were read', () => {
  const without = Object.entries(features).filter(([, feature]) => {
    const written = Object.values(feature.resource.endpoints).filter(
      endpoint => isAudited(endpoint) && ['admin', 'root'].includes(endpoint.access),
    )
    return written.length > 0 && auditedRowsOf(feature) === undefined
  })
  expect(without.map(([name]) => name)).toEqual(['logs', 'operations', 'system-info'])
})

const changesOf = async (hub: TestApp, action: string) =>
  (await rowsOf(hub.root, `action=${action}`))[0]!.changes

onBothEngines('changes in the audit log', open => {
  it('has the changed fields before and after a write, the rows that it made, and those it deleted', async () => {
    const hub = await open()
    const user = await hub.person()
    const name = String(user.id)
    await hub.root.put('/api/user/', { id: user.id, display_name: 'Ann' })
    expect(await changesOf(hub, 'users.update')).toEqual([
      { row: name, field: 'display_name', before: user.username, after: 'Ann' },
    ])
    await hub.root.post(`/api/user/quota/${user.id}`, { quota: 50 })
    expect(await changesOf(hub, 'users.quota')).toEqual([
      { row: name, field: 'quota', before: 0, after: 50 },
    ])
    await hub.root.post('/api/user/manage', { username: user.username, action: 'disable' })
    expect(await changesOf(hub, 'users.manage')).toEqual([
      { row: name, field: 'status', before: 1, after: 2 },
    ])
    const made = (await hub.root.post('/api/user_group/', { symbol: 'gold', name: 'Gold' })).body
    const { id } = made.data
    expect(await changesOf(hub, 'groups.create')).toEqual([
      { row: String(id), field: '', after: made.data },
    ])
    await hub.root.delete(`/api/user_group/${id}`)
    expect(await changesOf(hub, 'groups.remove')).toEqual([
      { row: String(id), field: '', before: made.data },
    ])
    expect((await hub.root.put('/api/user_group/', { id, name: 'Late' })).status).toBe(404)
    expect(await changesOf(hub, 'groups.update')).toEqual([])
    expect(await findBreak(hub.app.db)).toBeUndefined()
  })

  it('compares prices, settings, channels of a tag and keys, with secrets as fingerprints', async () => {
    const hub = await open()
    const price = { model: 'm-1', type: 'tokens', input: 1, output: 2 }
    await hub.root.post('/api/prices/single', price)
    await hub.root.put('/api/prices/single/m-1', { ...price, output: 3 })
    expect(await changesOf(hub, 'prices.update')).toEqual([
      { row: 'm-1', field: 'output', before: 2, after: 3 },
    ])
    await hub.root.put('/api/option/', { key: 'RetryTimes', value: '4' })
    expect(await changesOf(hub, 'settings.update')).toEqual([
      { row: 'RetryTimes', field: 'value', before: expect.any(String), after: '4' },
    ])
    await hub.root.put('/api/option/', { key: 'GitHubClientSecret', value: 'canary-secret' })
    const fingerprint = expect.stringMatching(/^fingerprint:[0-9a-f]{16}$/)
    expect(await changesOf(hub, 'settings.update')).toEqual([
      { row: 'GitHubClientSecret', field: 'value', before: '', after: fingerprint },
    ])
    const channel = { type: 1, name: 'c', models: 'm-1', group: 'default', tag: 'red' }
    const two = { ...channel, base_url: 'https://a.example', key: 'canary-1\ncanary-2' }
    const made = (await hub.root.post('/api/channel/', two)).body.data
    expect(await changesOf(hub, 'channels.create')).toMatchObject(
      made.map(({ id, name }: { id: number; name: string }) => ({
        ...{ row: String(id), field: '', after: { name, tag: 'red' } },
      })),
    )
    await hub.root.put('/api/channel_tag/red', { tag: 'blue' })
    expect(await changesOf(hub, 'channels.updateTag')).toEqual(
      made.map(({ id }: { id: number }) => ({
        ...{ row: String(id), field: 'tag', before: 'red', after: 'blue' },
      })),
    )
    const url = `/api/channel/${made[0].id}/keys`
    await hub.root.post(url, { key: 'canary-3' })
    const keys = await changesOf(hub, 'channels.addKeys')
    expect(keys).toContainEqual({
      row: expect.stringMatching(new RegExp(`^${made[0].id} key [0-9a-f]{12}$`)),
      field: '',
      after: { status: 1, reason: '' },
    })
    expect((await hub.root.get('/api/audit/?size=100')).text).not.toContain('canary-')
  })
})

onBothEngines('the list of the audit log', open => {
  it('S27 shows administrators their own rows and those of lower roles, and the rest to root only', async () => {
    const hub = await open()
    const [admin, peer, user] = [await hub.person(10), await hub.person(10), await hub.person()]
    await user.put('/api/user/self', { display_name: 'Me' })
    for (const who of [admin, peer])
      await who.post('/api/user_group/', { symbol: `of${who.id}`, name: who.username })
    await hub.guest().signIn(user.username, 'wrong')
    const names = new Set((await rowsOf(admin)).map(row => row.actor_name))
    expect([...names].sort()).toEqual([admin.username, user.username].sort())
    const failed = await rowsOf(admin, 'action=sign-in.login')
    expect(failed.filter(row => row.actor_name === user.username)).toEqual([])
    const all = new Set((await rowsOf(hub.root)).map(row => row.actor_name))
    expect([...all]).toEqual(expect.arrayContaining(['root', admin.username, peer.username]))
    // The role counts that the actor had at the time: a former administrator's rows stay hidden.
    await hub.root.post('/api/user/manage', { username: peer.username, action: 'demote' })
    expect((await rowsOf(admin)).some(row => row.actor_name === peer.username)).toBe(false)
    expect((await user.get('/api/audit/')).status).toBe(403)
  })

  it('finds rows by time, by the beginning of a name and by outcome', async () => {
    const hub = await open()
    const group = { symbol: 'late', name: 'Late' }
    await hub.root.post('/api/user_group/', group)
    const from = Math.floor(hub.clock.now / 1000) + 100
    hub.clock.now += 100_000
    await hub.root.post('/api/user_group/', group)
    hub.clock.now += 100_000
    await hub.root.post('/api/user_group/', { ...group, symbol: 'later' })
    const found = async (query: string) => (await rowsOf(hub.root, query)).map(row => row.outcome)
    expect(await found(`start_timestamp=${from}`)).toEqual(['', 'resource.exists'])
    expect(await found(`start_timestamp=${from}&end_timestamp=${from + 50}`)).toEqual([
      'resource.exists',
    ])
    expect(await found('action=groups.create&outcome=failed')).toEqual(['resource.exists'])
    expect(await found('action=groups.create&outcome=succeeded&actor_name=ro')).toHaveLength(2)
    expect(await found('actor_name=nobody')).toEqual([])
  })
})
