import type { Page } from '@playwright/test'
import { callApi } from '../harness/admin.ts'
import { ask, mapConcurrently } from '../harness/client.ts'
import { expect, test } from './hub.ts'
import { changeData, navigate, open, openSignedIn, t } from './product.ts'

// One case for each line of the specification's section 9 that no other file proves (`PRODUCT.md`).

const sizeOf = async (page: Page, selector: string) => {
  const { width = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {}
  return [width, height]
}

test('9 a quota is quota / quota_per_unit in dollars with 2 decimals, or abbreviated as k, M and B', async ({
  page,
  seeded,
}) => {
  let quota = 1_234_567
  let display_in_currency = true
  await changeData(page, '**/api/user/session', data => ({ ...data, quota }))
  await changeData(page, '**/api/status', data => ({ ...data, display_in_currency }))
  await openSignedIn(page, seeded, '/panel/404')
  const card = page.locator('#menu').getByRole('region', { name: t('menu.account') })
  for (const [points, isMoney, text] of [
    [1_234_567, true, '$2.47'],
    [9_999, false, '9,999'],
    [10_000, false, '10.0k'],
    [1_000_000, false, '1.0M'],
    [1_000_000_000, false, '1.0B'],
  ] as const)
    await test.step(`9 ${points} points: ${text}`, async () => {
      quota = points
      display_in_currency = isMoney
      await page.reload()
      await expect(card).toContainText(`${t('account.balance')}${text}`)
    })
})

test('9 the price helper shows free prices, dollars × 0.002, yuan × 0.014 and a thousand times that', async ({
  page,
  seeded,
}) => {
  await seeded.admin.setPrice('helper-priced', 'tokens', 1.2345678)
  await seeded.admin.setPrice('helper-free', 'tokens', 0)
  await openSignedIn(page, seeded, '/panel/pricing?keyword=helper')
  const cells = (model: string) => page.getByRole('row').filter({ hasText: model })
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click()
  for (const [unit, scale, text] of [
    ['$', '1K', '$0.00246914'],
    ['¥', '1K', '¥0.0172839'],
    ['$', '1M', '$2.46914'],
    ['¥', '1M', '¥17.2839'],
  ] as const)
    await test.step(`9 ${unit} for ${scale}: ${text}`, async () => {
      await choose(unit)
      await choose(scale)
      await expect(cells('helper-priced')).toContainText(text)
      await expect(cells('helper-free')).toContainText('免费')
    })
})

test('9 the settings of the specification exist, with its defaults', async ({ hub }) => {
  const rows = await hub.admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
  const settings = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  expect(settings).toMatchObject({ SMTPPort: '587', QuotaPerUnit: '500000', PaymentMinAmount: '1' })
  for (const key of [
    ...['QuotaPerUnit', 'RetryTimes', 'RetryCooldownSeconds', 'RetryTimeOut'],
    ...['ChannelDisableThreshold', 'QuotaRemindThreshold', 'QuotaForNewUser', 'QuotaForInviter'],
    ...['QuotaForInvitee', 'PreConsumedQuota', 'GroupRatio', 'ClaudeBudgetTokensPercentage'],
    ...['ClaudeDefaultMaxTokens', 'PaymentUSDRate', 'ExtraTokenPriceJson'],
  ])
    expect(Object.keys(settings), key).toContain(key)
  await test.step('9 logs are cleaned up to a time', async () => {
    const path = '/api/log/?target_timestamp=1'
    const session = { bearer: hub.gateway.accessToken }
    expect(await callApi(hub.gateway, session, 'DELETE', path)).toMatchObject({ success: true })
  })
})

test('9 the layout has the sizes of the specification', async ({ page, seeded }) => {
  const resize = (width: number) => page.setViewportSize({ width, height: 800 })
  await openSignedIn(page, seeded, '/panel/token')
  await page.locator('#menu').waitFor()
  await test.step('9 a top bar of 64, a logo of 50 and an avatar of 45 pixels', async () => {
    expect((await sizeOf(page, 'header'))[1]).toBe(64)
    expect((await sizeOf(page, 'header a[href="/"]'))[1]).toBe(50)
    expect(await sizeOf(page, 'header .MuiAvatar-root')).toEqual([45, 45])
  })
  await test.step('9 sm begins at 600 pixels: below it the top bar has 56', async () => {
    for (const [width, height] of [
      [600, 64],
      [599, 56],
    ] as const) {
      await resize(width)
      await expect.poll(async () => (await sizeOf(page, 'header'))[1]).toBe(height)
    }
  })
  await test.step('9 md begins at 900 pixels: from there on the menu stands beside the page', async () => {
    for (const [width, count] of [
      [900, 1],
      [899, 0],
    ] as const) {
      await resize(width)
      await expect(page.locator('#menu')).toHaveCount(count)
    }
  })
  await test.step('9 an image as logo is 50 pixels high', async () => {
    const logo = `${seeded.gateway.url}/favicon.svg`
    await changeData(page, '**/api/status', data => ({ ...data, logo }))
    await page.reload()
    await expect.poll(async () => (await sizeOf(page, 'header a[href="/"] img'))[1]).toBe(50)
  })
})

test('9 the languages are zh_CN, zh_HK, en_US and ja_JP', async ({ page, seeded }) => {
  await open(page, seeded, '/about')
  await page.getByRole('button', { name: t('common.language') }).click()
  const items = page.getByRole('menuitem')
  await expect(items).toHaveText(['简体中文', '繁體中文', 'English', '日本語'])
  for (const [at, language] of ['zh-CN', 'zh-HK', 'en-US', 'ja-JP'].entries())
    await expect(items.nth(at)).toHaveAttribute('lang', language)
})

test('9 the code of WeChat is valid for three minutes, and the dialog says so', async ({
  page,
  seeded,
}) => {
  await changeData(page, '**/api/status', data => ({ ...data, wechat_login: true }))
  await open(page, seeded, '/')
  await navigate(page, '/login')
  await page.getByRole('button', { name: t('sign-in.wechat.action') }).click()
  await expect(page.getByRole('dialog')).toContainText('三分钟内有效')
})

test('9 under 60 requests a minute are counted, from 60 on a bucket of ten seconds refills', async ({
  seeded,
}) => {
  const { admin, gateway, upstream } = seeded
  await admin.setPrice('rate-model', 'tokens', 1)
  const group = 'rate-59,rate-60'
  for (const rate of [59, 60])
    await admin.api('POST', '/api/user_group/', {
      ...{ symbol: `rate-${rate}`, name: `Rate ${rate}`, ratio: 1, api_rate: rate },
    })
  const [channel] = await admin.addChannel(`${upstream.url}/a`, { models: 'rate-model', group })
  const calls = 40
  const served = async (rate: number) => {
    const { key } = await admin.addPerson(1_000_000, {}, { group: `rate-${rate}` })
    const call = () => ask({ url: gateway.url, key, model: 'rate-model' })
    const all = await mapConcurrently(calls, 10, call)
    return all.filter(each => each.status === 200).length
  }
  expect(await served(59)).toBe(calls)
  // Ten at once, and one more for each second that the calls take.
  expect(await served(60)).toBeLessThan(calls)
  await admin.api('DELETE', `/api/channel/${channel?.id}`)
})
