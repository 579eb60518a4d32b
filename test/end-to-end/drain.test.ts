import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeEnginesInParallel, describeOneEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const isReady = (hub: TestHub) =>
  fetch(`${hub.gateway.url}/readyz`).then(
    response => response.ok,
    () => false,
  )

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine, { env: { STOP_DELAY_SECONDS: '5' } })
  })
  afterAll(() => hub?.close())

  it('R40 stopped with 500 streams: not ready at once, new calls are served until the delay ends, short streams finish, the rest end with an error and are charged, exit 0', async () => {
    const person = await hub.admin.addPerson(1_000_000_000)
    expect((await fetch(`${hub.gateway.url}/readyz`)).status).toBe(200)
    const calls = Array.from({ length: 500 }, (_, at) =>
      hub.ask({
        key: person.key,
        model: at % 5 === 0 ? 'any:in=10;out=100000;every=100' : 'any:in=10;out=40;every=80',
        stream: true,
      }),
    )
    await until(
      'all 500 are being served',
      () => hub.upstream.served.filter(each => each.pieces > 0).length === 500,
    )
    const code = hub.gateway.stop('SIGTERM')
    await until('it is not ready', async () => !(await isReady(hub)))
    const askLate = () => hub.ask({ key: person.key, model: 'any:out=1' })
    const during = await askLate()
    expect(during.complete, 'until balancers notice, new calls are served').toBe(true)
    let served = 501
    await until('the delay has ended, and new calls are refused', async () => {
      await sleep(200)
      const late = await askLate()
      if (late.complete) served += 1
      return late.broken || faultIn(late.text) === 'server_stopping'
    })

    const seen = await Promise.all(calls)
    expect(await code).toBe(0)
    const short = seen.filter((_, at) => at % 5 !== 0)
    const long = seen.filter((_, at) => at % 5 === 0)
    expect(short.filter(each => !each.complete)).toEqual([])
    expect(long.filter(each => faultIn(each.text) !== 'server_stopping')).toEqual([])

    const charges = await chargesOf(hub.gateway, person.id)
    expect(charges).toHaveLength(served)
    const whole = charges.filter(each => each.amount === 50)
    expect(whole.length).toBeGreaterThanOrEqual(400)
    expect(await accountOf(hub.gateway, person.id)).toMatchObject({ held: 0, requests: served })
    await hub.audit()
  })
})

describeOneEngine(engine => {
  const withHub = async (env: Record<string, string>, work: (hub: TestHub) => Promise<void>) => {
    const hub = await startTestHub(engine, { env })
    try {
      await work(hub)
    } finally {
      await hub.close()
    }
  }

  it('REL-6 new calls are served as long as STOP_DELAY_SECONDS says, and a second signal ends the wait', () =>
    withHub({ STOP_DELAY_SECONDS: '3600' }, async hub => {
      const { key } = await hub.admin.addPerson(1_000_000)
      hub.gateway.signal('SIGTERM')
      await until('it is not ready', async () => !(await isReady(hub)))
      // One after another they last longer than the default delay.
      for (let at = 0; at < 4; at += 1)
        expect((await hub.ask({ key, model: 'any:first=300;out=1' })).complete).toBe(true)
      expect(await hub.gateway.stop('SIGTERM')).toBe(1)
    }))

  it('REL-6 calls that still run after STOP_DEADLINE_SECONDS end with an error', () =>
    withHub({ STOP_DELAY_SECONDS: '0', STOP_DEADLINE_SECONDS: '0' }, async hub => {
      const { key } = await hub.admin.addPerson(1_000_000)
      // It would be complete before the default deadline.
      const call = hub.ask({ key, model: 'any:out=100;every=100', stream: true })
      await until('it has begun', () => hub.upstream.served.some(each => each.pieces > 0))
      expect(await hub.gateway.stop('SIGTERM')).toBe(0)
      expect(faultIn((await call).text)).toBe('server_stopping')
    }))
})
