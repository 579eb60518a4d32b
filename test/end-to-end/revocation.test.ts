import { roles } from '@hub/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { ask } from '../harness/client.ts'
import { hasRedis, type Redis, startRedis } from '../harness/engines.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const model = 'times:in=1;out=1'
type Api = { id: number }
type NewKey = Api & { key: string }

describeEnginesInParallel(engine => {
  // One SQLite file belongs to one process.
  const instances = engine.name === 'PostgreSQL' ? 2 : 1
  describe.skipIf(!hasRedis)(`${instances} process(es) with Redis`, () => {
    let hub: TestHub
    let redis: Redis
    beforeAll(async () => {
      redis = await startRedis()
      hub = await startTestHub(engine, { instances, redisUrl: redis.url })
    })
    afterAll(async () => {
      await hub?.close()
      await redis?.close()
    })

    /** The status of a request with a cookie or an access token, by process. Nothing of them is cached. */
    const statusOf = (session: { cookie?: string; bearer?: string }) =>
      Promise.all(
        hub.gateways.map(
          async gateway => (await callApi(gateway, session, 'GET', '/api/user/self')).status,
        ),
      )
    const callWith = (key: string) =>
      Promise.all(hub.gateways.map(async ({ url }) => (await ask({ url, key, model })).status))
    const everywhere = (status: number) => hub.gateways.map(() => status)
    const ownApi = <T>({ cookie }: Person, method: string, path: string, body?: object) =>
      callApi<T>(hub.gateway, { cookie }, method, path, body)
    const firstToken = async (person: Person) =>
      (await ownApi<{ data: Api[] }>(person, 'GET', '/api/token/')).data.data[0]!.id

    /**
     * Returns once every process has applied all token changes made before: a process applies them in order, and
     * refuses the model of a token that was limited to another after them. A disabled token would not tell, since the
     * ledger refuses its calls before the process knows.
     */
    const changesApplied = async () => {
      const marker = await hub.admin.addPerson(1_000_000)
      expect(await callWith(marker.key)).toEqual(everywhere(200))
      const id = await firstToken(marker)
      const setting = { limits: { limit_model_setting: { enabled: true, models: ['other'] } } }
      await ownApi(marker, 'PUT', '/api/token/', { id, setting })
      await until('every process refuses the marker', async () =>
        (await callWith(marker.key)).every(status => status === 404),
      )
    }

    it('S18 a ban ends sessions, access token and keys in every process', async () => {
      const user = await hub.admin.addPerson(1_000_000)
      const proof = { current_password: user.password }
      const bearer = (await ownApi<string>(user, 'POST', '/api/user/token', proof)).data
      expect(await statusOf({ cookie: user.cookie })).toEqual(everywhere(200))
      expect(await statusOf({ bearer })).toEqual(everywhere(200))
      expect(await callWith(user.key)).toEqual(everywhere(200))
      await hub.admin.api('POST', '/api/user/manage', {
        username: user.username,
        action: 'disable',
      })
      expect(await statusOf({ cookie: user.cookie })).toEqual(everywhere(401))
      expect(await statusOf({ bearer })).toEqual(everywhere(401))
      await changesApplied()
      expect(await callWith(user.key)).toEqual(everywhere(401))
    })

    it('S18 a demotion ends sessions, and the administrator’s power of a key, in every process', async () => {
      const admin = await hub.admin.addPerson(1_000_000, {}, { role: roles.admin })
      const [channel] = (await hub.admin.api<{ data: Api[] }>('GET', '/api/channel/')).data
      const forced = `${admin.key}#${channel!.id}`
      expect(await callWith(forced)).toEqual(everywhere(200))
      await hub.admin.api('POST', '/api/user/manage', {
        username: admin.username,
        action: 'demote',
      })
      expect(await statusOf({ cookie: admin.cookie })).toEqual(everywhere(401))
      await changesApplied()
      expect(await callWith(forced)).toEqual(everywhere(403))
      expect(await callWith(admin.key)).toEqual(everywhere(200))
    })

    it('S18 a new password ends the other sessions and the access token in every process', async () => {
      const user = await hub.admin.addPerson(1_000_000)
      const { cookie } = await hub.admin.signIn(user.username, user.password)
      const proof = { current_password: user.password }
      const bearer = (await ownApi<string>(user, 'POST', '/api/user/token', proof)).data
      const change = { ...proof, password: 'quite-another-one' }
      expect((await ownApi(user, 'PUT', '/api/user/self', change)).success).toBe(true)
      expect(await statusOf({ cookie })).toEqual(everywhere(401))
      expect(await statusOf({ cookie: user.cookie })).toEqual(everywhere(401))
      expect(await statusOf({ bearer })).toEqual(everywhere(401))
    })

    it('S18 a sign-out elsewhere ends that session in every process, and leaves this one', async () => {
      const user = await hub.admin.addPerson(1_000_000)
      const { cookie } = await hub.admin.signIn(user.username, user.password)
      expect(await statusOf({ cookie })).toEqual(everywhere(200))
      expect((await ownApi(user, 'DELETE', '/api/user/sessions')).success).toBe(true)
      expect(await statusOf({ cookie })).toEqual(everywhere(401))
      expect(await statusOf({ cookie: user.cookie })).toEqual(everywhere(200))
    })

    it('S18 a deleted token and the tokens of a deleted account fail in every process', async () => {
      const [user, leaving] = [await hub.admin.addPerson(1e6), await hub.admin.addPerson(1e6)]
      const batch = { name: 'team', count: 2 }
      const team = (await ownApi<NewKey[]>(user, 'POST', '/api/token/batch', batch)).data
      const keys = [user, leaving, ...team].map(({ key }) => key)
      for (const key of keys) expect(await callWith(key)).toEqual(everywhere(200))
      const ids = team.map(({ id }) => id)
      expect((await ownApi<number>(user, 'DELETE', '/api/token/batch', { ids })).data).toBe(2)
      expect((await ownApi(user, 'DELETE', `/api/token/${await firstToken(user)}`)).success).toBe(
        true,
      )
      const proof = { current_password: leaving.password }
      expect((await ownApi(leaving, 'DELETE', '/api/user/self', proof)).success).toBe(true)
      await changesApplied()
      for (const key of keys) expect(await callWith(key)).toEqual(everywhere(401))
      await hub.settled()
      await hub.audit()
    })
  })
})
