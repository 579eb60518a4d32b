import { type Page, test } from '@playwright/test'
import { type DemoRole, type DemoSite, openDemoSite } from './demo-site.ts'
import { expect } from './hub.ts'
import { countClicks, dress } from './page-checks.ts'
import { words } from './words.ts'

// One worker fills and opens the folder of the demo.
test.describe.configure({ mode: 'default' })

let site: DemoSite
test.beforeAll(async () => {
  site = await openDemoSite()
})
test.afterAll(() => site?.close())

const open = async (page: Page, role: DemoRole, path: string): Promise<void> => {
  await dress(page, 'en_US')
  await site.signIn(page, role)
  await page.goto(`${site.url}/panel/${path}`)
  await page.waitForLoadState('networkidle')
  // Charts draw themselves when they come near the view.
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await expect(page.locator('main .MuiSkeleton-root')).toHaveCount(0)
}

const charts = [
  'dashboard',
  'dashboard?view=mine',
  'analytics?period=month&by=model',
  'analytics?period=month&by=channel',
  'margin',
  'channel/1',
  'log',
]

const lists = [
  'token',
  'log/sessions',
  'midjourney',
  'task',
  'redemption',
  'payment#order',
  'invoice',
  'user',
  'channel',
  'user_group',
  'pricing',
  'virtual_model',
  'model_info',
  'notification',
  'audit',
]

test('no chart of the demo is empty', async ({ page }) => {
  for (const path of charts) {
    await open(page, 'root', path)
    await expect.soft(page.locator('main svg, main canvas').first(), path).toBeVisible()
    await expect.soft(page.getByTestId('empty-chart'), path).toHaveCount(0)
  }
})

test('no list of the demo is empty', async ({ page }) => {
  for (const path of lists) {
    await open(page, 'administrator', path)
    await expect.soft(page.getByTestId('empty-state'), path).toHaveCount(0)
  }
})

test('a customer of the demo has keys, calls, tasks, orders and invoices', async ({ page }) => {
  for (const path of [
    'dashboard',
    'token',
    'log',
    'log/sessions',
    'task',
    'midjourney',
    'topup',
    'invoice',
  ]) {
    await open(page, 'customer', path)
    await expect.soft(page.getByTestId('empty-chart'), path).toHaveCount(0)
    await expect.soft(page.getByTestId('empty-state'), path).toHaveCount(0)
  }
})

test('the home says what the last week earned and what is sold below cost, and one click shows on what', async ({
  page,
}) => {
  const t = words('en_US')
  const clicks = await countClicks(page)
  await open(page, 'administrator', 'dashboard')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.close') })
    .click()
  const attention = page.getByRole('group', { name: t('operations.attention.title') })
  await expect(attention.getByText(/^kimi-k3 /)).toBeVisible()
  await page.getByRole('link', { name: /^Last 7 days: earned \$/ }).click()
  await expect(page.getByText(/^You earned \$[\d.]+ on \$/)).toBeInViewport()
  // The largest loss comes first.
  const [first] = await page
    .getByRole('table')
    .getByRole('row')
    .all()
    .then(rows => rows.slice(1))
  await expect(first!).toContainText('kimi-k3')
  await expect(first!).toContainText(/-\$[\d.]+/)
  // The first click closes the notice of the site.
  expect(clicks()).toBe(2)
})
