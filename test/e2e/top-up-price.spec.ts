import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { priceTopUp, type TopUpTerms, topUpMax } from '../../packages/contract/src/top-up-price.ts'
import { root } from '../harness/paths.ts'

const inputCount = 100_000
const currencies = ['USD', 'CNY', 'JPY']

/** Numbers below a bound from a fixed sequence, so that every run compares the same inputs. */
const makeRandom = () => {
  let state = 20_261_124
  return (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const makeInputs = (): [number, TopUpTerms][] => {
  const random = makeRandom()
  return Array.from({ length: inputCount }, () => {
    const amount = 1 + (random(10 ** (1 + random(7))) % topUpMax)
    const terms = {
      discounts: random(2) ? { [amount]: (1 + random(10_000)) / 10_000 } : {},
      exchangeRate: (1 + random(400_000_000)) / 10 ** (3 + random(6)),
      currency: currencies[random(currencies.length)] ?? 'USD',
      fixedFee: random(10_000) / 100,
      percentFee: random(2) ? random(30_000) / 10_000 : 0,
    }
    return [amount, terms]
  })
}

test('browser and server charge the same for 100,000 random top-ups', async ({ page }) => {
  const inputs = makeInputs()
  const expected = JSON.stringify(inputs.map(([amount, terms]) => priceTopUp(amount, terms)))
  const file = join(root, 'packages/contract/src/top-up-price.ts')
  const module = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  const address = `data:text/javascript,${encodeURIComponent(module)}`
  const actual = await page.evaluate<string>(
    `import(${JSON.stringify(address)}).then(({ priceTopUp }) => JSON.stringify(
      ${JSON.stringify(inputs)}.map(([amount, terms]) => priceTopUp(amount, terms))))`,
  )
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(
    new Set(JSON.parse(expected).map((each: { charge: number }) => each.charge)).size,
  ).toBeGreaterThan(10_000)
  expect(hash(actual)).toBe(hash(expected))
})
