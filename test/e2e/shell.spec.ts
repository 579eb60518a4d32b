import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'

const typeface =
  "[...document.fonts].some(each => each.family === 'Inter' && each.status === 'loaded')"

test('the typeface is loaded with the first input, and before the first paint of later visits', async ({
  page,
  seeded,
}) => {
  const requested: string[] = []
  page.on('request', request => requested.push(new URL(request.url()).pathname))
  const fonts = () => requested.filter(each => each.startsWith('/fonts/'))
  await dress(page, 'en_US')
  await page.goto(`${seeded.gateway.url}/login`)
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(fonts()).toEqual([])
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(typeface)).toBe(true)
  expect(fonts()).toHaveLength(1)
  await page.reload()
  await expect.poll(() => page.evaluate(typeface)).toBe(true)
})

test('a toast covers no entry of the menu', async ({ page, seeded }) => {
  // Phones show no menu beside the page.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dress(page, 'en_US')
  await signIn(page, seeded)
  await page.goto(`${seeded.gateway.url}/panel/token`)
  await page.locator('main button[aria-label^="Copy"]').first().click()
  const toast = await page.locator('[data-sonner-toast]').first().boundingBox()
  const menu = await page.locator('#menu').boundingBox()
  expect(toast?.x).toBeGreaterThanOrEqual((menu?.x ?? 0) + (menu?.width ?? 0))
})

test('the first tooltip loads its positioning, which no page loads before, and stands at its button', async ({
  page,
  seeded,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const requested: string[] = []
  page.on('request', request => requested.push(new URL(request.url()).pathname))
  const positioning = () => requested.filter(each => each.includes('/popper-'))
  await dress(page, 'en_US')
  await signIn(page, seeded)
  await page.goto(`${seeded.gateway.url}/panel/token`)
  const button = page.locator('main button[aria-label^="Copy"]').first()
  await button.waitFor()
  await page.waitForLoadState('networkidle')
  expect(positioning()).toEqual([])
  await button.hover()
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toBeVisible()
  expect(positioning()).toHaveLength(1)
  const at = await button.boundingBox()
  const placed = await tooltip.boundingBox()
  const middle = ({ x = 0, width = 0 } = {}) => x + width / 2
  expect(Math.abs(middle(placed ?? {}) - middle(at ?? {}))).toBeLessThan(80)
  expect(Math.abs((placed?.y ?? 0) - (at?.y ?? 0))).toBeLessThan(80)
})
