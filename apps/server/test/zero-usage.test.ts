import { beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
beforeAll(() => hub.addChannel(1, 'any:*'))

it.each([false, true])(
  'SEC-15 a usage of zeros next to visible text is counted by the gateway and raises an alarm (stream: %s)',
  async stream => {
    const alarms = async () => {
      const { values } = await hub.app.app.metrics.alarms.get()
      return values.find(each => each.labels.kind === 'usage_broken')?.value ?? 0
    }
    const before = await alarms()
    const messages = [{ role: 'user', content: 'hi' }]
    const body = { model: 'any:out=20;usage=zero', stream, messages }
    expect((await (await hub.post('/v1/chat/completions', body)).text()).length).toBeGreaterThan(0)
    const charge = await lastCharge(hub)
    expect(charge?.usage.output).toBeGreaterThan(10)
    expect(charge).toMatchObject({ estimated: true, finish: 'complete' })
    expect(await alarms()).toBe(before + 1)
  },
)
