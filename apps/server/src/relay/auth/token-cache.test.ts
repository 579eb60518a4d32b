import type { KyselyPlugin } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { openChangeNotifications } from '../../state/change-notifications.ts'
import { tokenCache } from './token-cache.ts'

let hub: TestApp
type Made = { id: number; key: string }
const make = async (user: TestUser): Promise<Made> =>
  (await user.post('/api/token/', { name: 'mine' })).body.data

/** A second node: an own cache with its own view of the changes. */
const openNode = async () => {
  const changes = await openChangeNotifications(hub.app.db, { pollMilliseconds: 60_000 })
  return { ...hub.app, changes }
}

const batchTests = () => {
  it('S18 tokens that are changed or deleted at once leave the caches of all nodes', async () => {
    const node = await openNode()
    const caches = [tokenCache(hub.app), tokenCache(node)]
    const owner = await hub.person()
    const made: Made[] = (await owner.post('/api/token/batch', { name: 'team', count: 5 })).body
      .data
    for (const { find } of caches) for (const { key } of made) expect(await find(key)).toBeDefined()
    const [changed, deleted] = [made.slice(0, 2), made.slice(2, 4)]
    const idsOf = (tokens: readonly Made[]) => ({ ids: tokens.map(({ id }) => id) })

    await owner.put('/api/token/batch', { ...idsOf(changed), status: 2 })
    await owner.delete('/api/token/batch', idsOf(deleted))
    await node.changes.sync()
    for (const { peek, find } of caches) {
      expect(made.filter(({ key }) => peek(key))).toEqual(made.slice(4))
      for (const { key } of changed) expect((await find(key))?.isEnabled).toBe(false)
      for (const { key } of deleted) expect(await find(key)).toBeUndefined()
    }
    await node.changes.close()
  })
}

onBothEngines('the token cache', open => {
  beforeAll(async () => {
    hub = await open()
  })
  batchTests()

  it('S53 a token write takes one token out of the caches of all nodes, and leaves the others', async () => {
    const node = await openNode()
    const caches = [tokenCache(hub.app), tokenCache(node)]
    const [owner, other] = [await hub.person(), await hub.person()]
    const [changed, deleted, kept] = [await make(owner), await make(owner), await make(other)]
    for (const { find } of caches)
      for (const { key } of [changed, deleted, kept]) expect(await find(key)).toBeDefined()

    await owner.put('/api/token/', { id: changed.id, name: 'renamed' })
    await owner.delete(`/api/token/${deleted.id}`)
    const added = await make(owner)
    await node.changes.sync()
    for (const { peek, find } of caches) {
      expect(peek(kept.key)).toBeDefined()
      expect([peek(changed.key), peek(deleted.key)]).toEqual([undefined, undefined])
      expect((await find(changed.key))?.caller.tokenName).toBe('renamed')
      expect(await find(deleted.key)).toBeUndefined()
      expect(await find(added.key)).toBeDefined()
    }
    await node.changes.close()
  })

  it('S10 what looks like SQL in a key costs what any wrong key costs: one query for its hash', async () => {
    const statements: string[] = []
    const recorder: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(JSON.stringify(node))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const node = { ...(await openNode()), callDb: hub.app.callDb.withPlugin(recorder) }
    const cache = tokenCache(node)
    await cache.find('sk-the-first-one-loads-the-hashes')
    for (const key of ['sk-wrong', "sk-' OR '1'='1", "sk-x'; DROP TABLE users; --", 'sk-%']) {
      statements.length = 0
      expect(await cache.find(key)).toBeUndefined()
      expect([key, statements.length]).toEqual([key, 1])
      expect(statements[0]).not.toContain(key)
    }
    await node.changes.close()
  })

  it('a change of a user takes only their tokens out of the cache', async () => {
    const cache = tokenCache(hub.app)
    const [banned, other] = [await hub.person(), await hub.person()]
    const [one, two] = [await make(banned), await make(other)]
    for (const { key } of [one, two]) await cache.find(key)
    await hub.root.post('/api/user/manage', { username: banned.username, action: 'disable' })
    expect((await cache.find(one.key))?.isUserEnabled).toBe(false)
    expect(cache.peek(two.key)).toBeDefined()
    const username = `${other.username}-x`
    await other.put('/api/user/self', { username, current_password: other.password })
    expect((await cache.find(two.key))?.caller.username).toBe(username)
    await hub.root.delete(`/api/user/${other.id}`)
    expect(await cache.find(two.key)).toBeUndefined()
  })
})
