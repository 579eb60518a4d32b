import type { ExchangeRates } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { rateAt } from '../../billing/costs/exchange-rates.ts'

let hub: TestApp

const day = 86_400_000
const start = Date.parse('2026-11-20T12:00:00Z')
const read = async () => (await hub.root.get('/api/costs/rates')).body.data as ExchangeRates
const set = (currency: string, rate: string, valid_from?: string) =>
  hub.root.put('/api/costs/rates', { currency, rate, ...(valid_from && { valid_from }) })
const refusal = async (body: object) => {
  const response = await hub.root.put('/api/costs/rates', body)
  expect([response.status, response.body.code]).toEqual([400, 'request.invalid'])
  return response.body.message as string
}

const rates = () => {
  it('yuan have the price of a dollar at top-ups until somebody writes a rate', async () => {
    await hub.root.put('/api/option/', { key: 'PaymentUSDRate', value: '7.25' })
    expect(await read()).toEqual({
      current: [{ currency: 'CNY', rate: '7.25', source: 'setting' }],
      history: [],
    })
    expect([rateAt(hub.app, 'CNY', '2026-11-20'), rateAt(hub.app, 'EUR', '2026-11-20')]).toEqual([
      '7.25',
      undefined,
    ])
    expect(rateAt(hub.app, 'USD', '2026-11-20')).toBe('1')
  })

  it('a rate holds from its day until the next one, with every digit, and earlier days keep theirs', async () => {
    expect((await set('CNY', '7.1')).status).toBe(200)
    hub.clock.now += day
    expect((await set('CNY', '7.123456789012')).status).toBe(200)
    const at = (when: string) => rateAt(hub.app, 'CNY', when)
    expect(['2026-11-19', '2026-11-20', '2026-11-21', '2027-01-01'].map(at)).toEqual([
      ...['7.25', '7.1', '7.123456789012', '7.123456789012'],
    ])
    const { current, history } = await read()
    expect(current).toEqual([{ currency: 'CNY', rate: '7.123456789012', source: 'rate' }])
    expect(history.map(each => [each.valid_from, each.rate, each.created_by_name])).toEqual([
      ['2026-11-21', '7.123456789012', 'root'],
      ['2026-11-20', '7.1', 'root'],
    ])
  })

  it('a past day changes only when it is named, and a later one not before it comes', async () => {
    await set('EUR', '0.9', '2026-11-25')
    expect((await read()).current.map(each => each.currency)).toEqual(['CNY'])
    await set('EUR', '0.92', '2026-11-01')
    expect(rateAt(hub.app, 'EUR', '2026-11-24')).toBe('0.92')
    expect(rateAt(hub.app, 'EUR', '2026-11-25')).toBe('0.9')
    await set('EUR', '0.93', '2026-11-01')
    expect((await read()).history.filter(each => each.valid_from === '2026-11-01')).toHaveLength(1)
  })

  it('a day is one of the calendar of the site', async () => {
    await hub.root.put('/api/option/', { key: 'TimeZone', value: 'Asia/Tokyo' })
    hub.clock.now = Date.parse('2026-11-29T20:00:00Z')
    await set('JPY', '155')
    expect((await read()).history[0]).toMatchObject({ currency: 'JPY', valid_from: '2026-11-30' })
    await hub.root.put('/api/option/', { key: 'TimeZone', value: '' })
  })

  it.each([
    [{ currency: 'USD', rate: '1' }, '`currency`: rates are for a US dollar'],
    [{ currency: 'cny', rate: '7' }, '`currency`: must be a currency code of three letters'],
    [{ currency: 'CNY', rate: '0.00' }, '`rate`: must be above 0'],
    [{ currency: 'CNY', rate: '-7' }, '`rate`: must be a decimal number in text'],
    [{ currency: 'CNY', rate: 7 }, '`rate`'],
    [{ currency: 'CNY', rate: '7', valid_from: '2026-02-30' }, '`valid_from`: must be a day'],
  ])('%j is refused, with its field and the reason', async (body, words) => {
    expect(await refusal(body)).toContain(words)
  })

  it('the audit log has the change, and nobody but administrators reads or writes rates', async () => {
    const [row] = (await hub.root.get('/api/audit/?action=costs.setRate&size=1')).body.data.data
    expect(JSON.stringify(row)).toContain('155')
    const user = await hub.person()
    const reading = await user.get('/api/costs/rates')
    const writing = await user.put('/api/costs/rates', { currency: 'CNY', rate: '1' })
    expect([reading.status, writing.status]).toEqual([403, 403])
    const admin = await hub.person(10)
    expect((await admin.get('/api/costs/rates')).status).toBe(200)
  })
}

onBothEngines('exchange rates', open => {
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = start
  })
  rates()
})
