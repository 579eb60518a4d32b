import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn, textIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

/** The gateway never requests compression, but some vendors compress anyway. */
describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
  })
  afterAll(() => hub?.close())

  it.each(['gzip', 'br', 'deflate', 'raw', 'zstd'])(
    'R10 an answer that comes compressed is read, charged exactly and passed on unpacked: %s',
    async kind => {
      for (const stream of [false, true]) {
        const person = await hub.admin.addPerson(1_000_000)
        const seen = await hub.ask({
          key: person.key,
          model: `any:in=10;out=4;size=5;pack=${kind}`,
          stream,
        })
        expect([kind, stream, seen.status, seen.complete]).toEqual([kind, stream, 200, true])
        const text = stream ? textIn(seen.text) : JSON.parse(seen.text).choices[0].message.content
        expect(text).toBe(['t0 xx', 't1 xx', 't2 xx', 't3 xx'].join(''))
        await hub.settled()
        expect((await chargesOf(hub.gateway, person.id)).map(each => each.amount)).toEqual([14])
      }
      await hub.audit()
    },
  )

  it('R10 a compressed stream comes piece by piece, not at its end', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const model = 'any:out=2000;every=10;pack=gzip'
    const seen = await hub.ask({ key: person.key, model, stream: true, leaveAfter: 3 })
    expect(seen.pieces).toBeGreaterThanOrEqual(3)
    await hub.settled()
    expect(hub.upstream.served.at(-1)?.pieces).toBeLessThan(1000)
  })

  it('R10 a compressed refusal reaches the caller in the vendor’s own words', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const seen = await hub.ask({ key: person.key, model: 'any:status=400;pack=gzip' })
    expect(seen.status).toBe(400)
    expect(seen.text).toContain('The vendor answers 400.')
  })

  it.each(['bomb', 'lie', 'unknown'])(
    'R25 what cannot be unpacked within the limits is a fault that costs nothing: %s',
    async kind => {
      const person = await hub.admin.addPerson(1_000_000)
      const seen = await hub.ask({ key: person.key, model: `any:pack=${kind}` })
      expect([kind, seen.complete && seen.status === 200]).toEqual([kind, false])
      if (kind !== 'bomb') {
        expect(faultIn(seen.text)).toBe('upstream_invalid_response')
        await hub.settled()
        expect(await accountOf(hub.gateway, person.id)).toMatchObject({ used: 0, held: 0 })
      }
      const after = await hub.ask({ key: person.key, model: 'any:out=2' })
      expect(after.complete).toBe(true)
      await hub.settled()
      await hub.audit()
    },
  )
})
