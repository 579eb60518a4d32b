import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

for (const [title, status] of [
  ['answers 500', 500],
  ['is away', 0],
] as const)
  test(`if the API ${title} on load, the page says so and continues when it is back`, async ({
    page,
    seeded,
  }) => {
    await dress(page, 'en_US')
    await signIn(page, seeded)
    let broken = true
    await page.route('**/api/**', route => {
      if (!broken) return route.continue()
      return status ? route.fulfill({ status, body: 'broken' }) : route.abort()
    })
    await page.goto(`${seeded.gateway.url}/panel/token`)
    await expect(page.getByRole('alert').first()).toBeVisible()
    broken = false
    await page.getByRole('button', { name: t('common.retry') }).click()
    await expect(page.getByRole('heading', { name: t('tokens.title') })).toBeVisible()
  })
