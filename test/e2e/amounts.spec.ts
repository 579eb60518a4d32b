import type { Page } from '@playwright/test'
import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

/** The distance of each decimal point from the left edge of the page in pixels, by amount. */
const decimalPoints = `(header => {
  const cells = [...document.querySelectorAll('main thead th')]
  const column = cells.findIndex(each => each.textContent === header)
  const points = {}
  for (const row of document.querySelectorAll('main tbody tr')) {
    const walker = document.createTreeWalker(row.cells[column], NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.search(/(?<=^[$]\\d+)\\./)
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      points[node.data] = range.getBoundingClientRect().left
    }
  }
  return points
})`

const expectAligned = async (page: Page, header: string) => {
  const points = await page.evaluate<Record<string, number>>(
    `${decimalPoints}(${JSON.stringify(header)})`,
  )
  expect(Object.keys(points).length, `${header}: different amounts`).toBeGreaterThan(1)
  // Glyphs begin at fractions of a pixel, which differ by their widths.
  const lefts = Object.values(points)
  const spread = Math.max(...lefts) - Math.min(...lefts)
  expect(spread, `${header}: ${JSON.stringify(points)}`).toBeLessThan(1)
}

test('the decimal points of charges and prices line up', async ({ page, seeded }) => {
  await dress(page, 'en_US')
  await signIn(page, seeded)
  await page.goto(`${seeded.gateway.url}/panel/log`)
  await page.getByText('gpt-4.1').first().waitFor()
  await expectAligned(page, t('logs.fields.quota'))
  await page.goto(`${seeded.gateway.url}/panel/pricing?keyword=mini`)
  await page.locator('main tbody').getByText('$').first().waitFor()
  await expectAligned(page, t('prices.fields.input'))
  await expectAligned(page, t('prices.fields.output'))
})
