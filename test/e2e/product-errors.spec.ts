import type { Page } from '@playwright/test'
import { expect, test } from './hub.ts'
import { changeData, navigate, open, openSignedIn, recordToasts, stored, t } from './product.ts'
import { words } from './words.ts'

// One case for each line of the specification's section 8 that no other file proves (`PRODUCT.md`).

const toasts = (page: Page) => page.locator('[data-sonner-toast]')
const address = t('status.hero.address')
const copyButton = (page: Page) =>
  page.locator('main').getByRole('button', { name: `${t('common.copy')} ${address}` })

const storedSite = async (page: Page): Promise<{ version?: string }> =>
  JSON.parse((await stored(page, 'siteInfo')) ?? '{}')

/** Stops the time of the page, which `page.clock.runFor` moves. */
const stopTime = async (page: Page) => {
  await page.waitForLoadState('networkidle')
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1000'))
}

test('8 another failed call shows its status, or the message of the server in its place', async ({
  page,
  seeded,
}) => {
  await openSignedIn(page, seeded, '/panel/channel')
  const name = `${t('channels.fields.status')}: Spare account`
  const toggle = page.getByRole('switch', { name, exact: true })
  const bodies: [number, string, string][] = [
    [418, '', '错误：HTTP 418'],
    [418, '数据库忙', '错误：数据库忙'],
    [500, '磁盘已满', '错误：磁盘已满'],
    [429, '请稍候', '错误：请稍候'],
  ]
  for (const [status, message, text] of bodies)
    await test.step(`8 ${status} ${message}`, async () => {
      await page.route('**/api/channel/', route =>
        route.fulfill({
          status,
          ...(message ? { json: { success: false, message } } : { body: '' }),
        }),
      )
      await toggle.click()
      await expect(page.getByText(text, { exact: true })).toBeVisible()
      await page.unroute('**/api/channel/')
    })
})

test('9 at most three toasts are shown, none twice, at the bottom left or on phones in the middle', async ({
  page,
  seeded,
}) => {
  await page.clock.install()
  await openSignedIn(page, seeded, '/panel/channel')
  const name = `${t('channels.fields.status')}: Spare account`
  const toggle = page.getByRole('switch', { name, exact: true })
  await toggle.waitFor()
  await stopTime(page)
  const fail = async (message: string) => {
    await page.route('**/api/channel/', route =>
      route.fulfill({ status: 500, json: { success: false, message } }),
    )
    const answered = page.waitForResponse('**/api/channel/')
    await toggle.click()
    await answered
    await expect
      .poll(async () => {
        await page.clock.runFor(50)
        return toasts(page).filter({ hasText: message }).count()
      })
      .toBe(1)
    await page.unroute('**/api/channel/')
  }
  for (const message of ['甲', '乙', '丙', '丁', '丁']) await fail(message)
  await expect(toasts(page).and(page.locator('[data-visible=true]'))).toHaveCount(3)
  await expect(toasts(page).filter({ hasText: '丁' })).toHaveCount(1)
  const region = page.locator('[data-sonner-toaster]').first()
  await expect(region).toHaveAttribute('data-y-position', 'bottom')
  await expect(region).toHaveAttribute('data-x-position', 'left')
  for (const [width, side] of [
    [600, 'center'],
    [601, 'left'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await expect(region).toHaveAttribute('data-x-position', side)
  }
  await test.step('9 an error stays 5000 ms', async () => {
    await page.clock.runFor(6_000)
    await expect(toasts(page)).toHaveCount(0)
  })
})

test('8 a copy is confirmed for 1500 ms, and one that fails shows its text until it is closed', async ({
  page,
  seeded,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await open(page, seeded, '/')
  await copyButton(page).waitFor()
  await stopTime(page)
  const text = `${seeded.gateway.url}/v1`
  const shows = (toast: string) =>
    expect
      .poll(async () => {
        await page.clock.runFor(20)
        return toasts(page).getByText(toast, { exact: true }).isVisible()
      })
      .toBe(true)
  await test.step('8 the success', async () => {
    await copyButton(page).click()
    await shows(`复制${address}成功！`)
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text)
    await page.clock.runFor(2_000)
    await expect(toasts(page)).toHaveCount(0)
  })
  await test.step('8 the failure', async () => {
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())')
    await copyButton(page).click()
    await shows(`复制${address}失败，请手动复制：${text}`)
    await page.clock.runFor(600_000)
    await expect(toasts(page)).toHaveCount(1)
    await toasts(page)
      .getByRole('button', { name: t('common.close') })
      .click()
    await page.clock.runFor(1_000)
    await expect(toasts(page)).toHaveCount(0)
  })
})

test('8 a server that is not reached and a new version are announced', async ({ page, seeded }) => {
  const english = words('en_US')
  const shown = await recordToasts(page)
  let version = 'v9.9.9'
  await changeData(page, '**/api/status', data => ({ ...data, version }))
  await test.step('8 a new version, with the keys that refresh', async () => {
    await open(page, seeded, '/')
    await expect.poll(shown).toEqual(['有新版本可用：v9.9.9，请按 Shift + F5 刷新页面'])
    expect(english('common.newVersion')).toMatch(/^New version available.*Shift \+ F5/)
  })
  await test.step('9 v0.14.13, v0.0.0 and no version are expected', async () => {
    for (const expected of ['v0.14.13', 'v0.0.0', '']) {
      version = expected
      await page.reload()
      await expect.poll(async () => (await storedSite(page)).version).toBe(expected)
      // Toasts appear in their order: one about the version would stand before that of the copy.
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())')
      await copyButton(page).click()
      const failure = `复制${address}失败，请手动复制：${seeded.gateway.url}/v1`
      await expect.poll(shown).toEqual([failure])
    }
  })
  await test.step('8 not reached', async () => {
    await page.unroute('**/api/status')
    await page.route('**/api/status', route => route.abort())
    await page.reload()
    await expect.poll(shown).toEqual(['无法正常连接至服务器！'])
    await page.goto(`${seeded.gateway.url}/about?lng=en_US`)
    await expect.poll(shown).toEqual(['Unable to connect to the server properly!'])
  })
})

test('8 a sign-in at a third party that cannot begin shows the message of the server', async ({
  page,
  seeded,
}) => {
  await changeData(page, '**/api/status', data => ({ ...data, github_oauth: true }))
  await page.route('**/api/oauth/endpoint?*', route =>
    route.fulfill({ status: 500, json: { success: false, message: '状态服务不可用' } }),
  )
  await open(page, seeded, '/login')
  await page.getByRole('button', { name: t('oauth.signInWith', { name: 'GitHub' }) }).click()
  await expect(page.getByText('错误：状态服务不可用', { exact: true })).toBeVisible()
})

for (const provider of ['github', 'oidc'])
  test(`8 a sign-in at ${provider} that fails is tried again with a counter, and leads to the sign-in page`, async ({
    page,
    seeded,
  }) => {
    await page.clock.install()
    await page.route(`**/api/oauth/${provider}?*`, route => route.abort())
    await open(page, seeded, `/oauth/${provider}?code=c&state=s`)
    for (const count of [1, 2, 3]) {
      await expect(page.getByText(`出现错误，第 ${count} 次重试中...`)).toBeVisible()
      await page.clock.fastForward(2_000)
    }
    await expect(page.getByText('操作失败，重定向至登录界面中...')).toBeVisible()
    await page.clock.fastForward(2_000)
    await expect(page).toHaveURL(/\/login$/)
  })

test('8 a home page and an about page that cannot be loaded say so', async ({ page, seeded }) => {
  await page.route(/\/api\/(about|home_page_content)/, route =>
    route.fulfill({ status: 500, body: '' }),
  )
  for (const [path, text] of [
    ['/', '加载首页内容失败'],
    ['/about', '加载关于内容失败'],
  ] as const) {
    await open(page, seeded, path)
    await expect(page.getByRole('heading', { name: text })).toBeVisible()
  }
})

test('8 a change, a deletion and a price list that fail show an error', async ({
  page,
  seeded,
}) => {
  await openSignedIn(page, seeded, '/panel/channel')
  const name = 'Spare account'
  const failsAs = (message: string) =>
    page.route('**/api/channel/**', route =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 500, json: { success: false, message } }),
    )
  const shows = (text: string) =>
    expect(toasts(page).filter({ hasText: `错误：${text}` })).toBeVisible()
  for (const field of ['priority', 'weight'])
    await test.step(`8 a ${field}`, async () => {
      await failsAs(field)
      const box = page.getByRole('textbox', { name: `${t(`channels.fields.${field}`)}: ${name}` })
      await box.fill('77')
      await box.press('Enter')
      await shows(field)
      await expect(box).not.toHaveValue('77')
    })
  await test.step('8 a deletion', async () => {
    await failsAs('deletion')
    await page.getByRole('button', { name: t('common.actionsOf', { name }) }).click()
    await page.getByRole('menuitem', { name: t('common.delete') }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: t('common.delete') }).click()
    await shows('deletion')
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
  })
  await test.step('8 data of prices that cannot be read', async () => {
    await navigate(page, '/panel/pricing')
    await page.getByRole('button', { name: t('prices.sync.open') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t('prices.sync.byText') }).click()
    await dialog.getByLabel(t('prices.sync.text')).fill('{"prices":')
    await dialog.getByRole('button', { name: t('prices.sync.fetch') }).click()
    await expect(toasts(page).filter({ hasText: t('faults.price.list_unavailable') })).toBeVisible()
  })
})
