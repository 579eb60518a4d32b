import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp, type TestClient } from '../../test/harness.ts'
import { addressUnit } from '../lib/ip.ts'
import { requestsPerMinute } from './rate-limits.ts'

let hub: TestApp
/** Counts requests that were made before, without making them. */
const use = async (key: string, requests: number) => {
  for (let n = 0; n < requests; n++) await hub.app.state.count(`api:${key}`, 60, 1e9)
}
const codeFor = async (client: TestClient, url: string) => (await client.get(url)).body.code

onOneEngine('requests to the admin API', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('S53 a user and an address have a limit of requests to the admin API', async () => {
    const [user, other] = [await hub.person(), await hub.person()]
    await use(`user:${user.id}`, requestsPerMinute.user - 20)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 25; n++) codes.push(await codeFor(user, '/api/user/self'))
    expect([codes[0], codes.at(-1)]).toEqual([undefined, 'rate.api'])
    const refused = await user.get('/api/user/self')
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(await codeFor(other, '/api/user/self')).toBeUndefined()

    await use(addressUnit('2001:db8:5:5::1'), requestsPerMinute.address)
    const flooded = (ip: string) => codeFor(hub.guest({ ip }), '/api/status')
    expect(await flooded('2001:db8:5:5:ffff::')).toBe('rate.api')
    expect(await flooded('2001:db8:5:6::1')).toBeUndefined()
  })

  it('an administrator has a higher limit than a user, for scripts', async () => {
    const admin = await hub.person(10)
    await use(`user:${admin.id}`, requestsPerMinute.user + 100)
    expect(await codeFor(admin, '/api/user/self')).toBeUndefined()
    await use(`user:${admin.id}`, requestsPerMinute.admin)
    expect(await codeFor(admin, '/api/user/self')).toBe('rate.api')
  })
})
