import { expect, it } from 'vitest'
import { paymentGateways } from './index.ts'

it('every gateway has its own id and prefix, and configuration fields that are text', () => {
  const gateways = Object.values(paymentGateways)
  expect(gateways.map(each => each.id)).toEqual(Object.keys(paymentGateways))
  const prefixes = gateways.map(each => each.prefix)
  expect(new Set(prefixes).size).toBe(prefixes.length)
  for (const each of prefixes) expect(each).toMatch(/^[a-z]{2,3}$/)
  for (const { config } of gateways)
    for (const [name, field] of Object.entries(config.shape))
      expect(field.safeParse(1).success, name).toBe(false)
})
