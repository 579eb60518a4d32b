import type { Page } from '@playwright/test'
import { callApi } from '../harness/admin.ts'
import { expect, test } from './hub.ts'
import {
  changeData,
  menuOf,
  open,
  openAs,
  openSignedIn,
  recordToasts,
  stored,
  submitSignIn,
  t,
} from './product.ts'

// One case for each line of the specification's section 4 that no other file proves (`PRODUCT.md`).

const answer = (page: Page, url: string, json: () => object) =>
  page.route(url, route => route.fulfill({ json: { success: true, message: '', ...json() } }))

/** The computed colour of a theme's entry, as the browser writes it. */
const colourOf = (page: Page, tone: string) =>
  page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--mui-palette-${tone}-main)'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)

test('4 nobody is sent to the sign-in page before the call for the own profile returned', async ({
  page,
  seeded,
}) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/user/session', async route => {
    await promise
    await route.continue()
  })
  const called = page.waitForRequest('**/api/user/session')
  await open(page, seeded, '/panel/token')
  await called
  await expect(page).toHaveURL(/\/panel\/token$/)
  resolve()
  await expect(page).toHaveURL(/\/login$/)
})

test('4 signing in loads user and group, says so, and leads to /panel', async ({
  page,
  seeded,
}) => {
  const toasts = await recordToasts(page)
  await open(page, seeded, '/login')
  const groups = page.waitForRequest('**/api/user_group_map')
  await submitSignIn(page, seeded)
  await expect.poll(toasts).toContain(t('sign-in.done'))
  await expect(page).toHaveURL(/\/panel$/)
  await groups
  expect(await stored(page, 'user')).toContain('"username":"root"')
  await expect(menuOf(page).or(page.locator('#menu')).first()).toContainText('RPM')
})

test('4 a third party that answers `bind` has bound the account, any other answer is a sign-in', async ({
  page,
  seeded,
}) => {
  const root = await seeded.admin.api<object>('GET', '/api/user/self')
  const toasts = await recordToasts(page)
  let message = 'bind'
  await answer(page, '**/api/oauth/github?*', () => ({
    ...{ message, data: message === 'bind' ? null : root },
  }))
  await test.step('4 bind: confirmed, and on to /panel', async () => {
    await openSignedIn(page, seeded, '/oauth/github?code=c&state=s')
    await expect.poll(toasts).toContain(t('oauth.bound'))
    await expect(page).toHaveURL(/\/panel$/)
  })
  await test.step('4 sign-in: confirmed, the user stored, and on to /panel', async () => {
    message = ''
    await page.evaluate("localStorage.removeItem('user')")
    await page.goto(`${seeded.gateway.url}/oauth/github?code=c&state=s`)
    await expect.poll(toasts).toContain(t('sign-in.done'))
    await expect(page).toHaveURL(/\/panel$/)
    expect(await stored(page, 'user')).toContain('"username":"root"')
  })
})

test('4 signing out in the drawer closes it, ends the session, clears the user and leads home', async ({
  page,
  seeded,
}) => {
  const person = await seeded.admin.addPerson(0)
  await openAs(page, seeded, person, '/panel/token')
  await page
    .locator('header')
    .getByRole('button', { name: t('menu.account') })
    .click()
  const drawer = page.getByRole('dialog', { name: t('menu.account') })
  const called = page.waitForResponse('**/api/user/logout')
  await drawer.getByRole('button', { name: t('menu.signOut') }).click()
  expect((await called).status()).toBe(200)
  await expect(page).toHaveURL(`${seeded.gateway.url}/`)
  await expect(drawer).toHaveCount(0)
  await expect(page.locator('header').getByRole('link', { name: t('menu.login') })).toBeVisible()
  expect(await stored(page, 'user')).toBeNull()
})

test('4 the choice of the theme and of the language is saved', async ({ page, seeded }) => {
  await page.goto(`${seeded.gateway.url}/about?lng=zh_CN`)
  const theme = page.locator('header').getByRole('button', { name: t('common.toggleTheme') })
  for (const expected of ['dark', 'light', 'dark']) {
    await theme.click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', expected)
    expect(await stored(page, 'theme')).toBe(expected)
  }
  await page.getByRole('button', { name: t('common.language') }).click()
  await page.getByRole('menuitem', { name: '日本語' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja-JP')
  expect(await stored(page, 'appLanguage')).toBe('ja_JP')
  await page.goto(`${seeded.gateway.url}/about`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja-JP')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('4 a notice opens by itself when it differs from the stored one', async ({ page, seeded }) => {
  let notice = '<b>今晚维护</b>'
  await answer(page, '**/api/notice', () => ({ data: notice }))
  const dialog = page.getByRole('dialog', { name: '公告', exact: true })
  const button = page.locator('header').getByRole('button', { name: '公告', exact: true })
  const close = () => dialog.getByRole('button', { name: t('common.close') }).click()
  await test.step('4 a new one opens, shows its HTML, and is stored', async () => {
    await open(page, seeded, '/about')
    await expect(dialog.locator('b')).toHaveText('今晚维护')
    expect(await stored(page, 'notice')).toBe(notice)
    await close()
    await expect(dialog).toHaveCount(0)
  })
  const reload = async () => {
    const fetched = page.waitForResponse('**/api/notice')
    await page.reload()
    await fetched
    await page.waitForLoadState('networkidle')
  }
  await test.step('4 the stored one stays closed', async () => {
    await reload()
    await expect(dialog).toHaveCount(0)
  })
  await test.step('4 a changed one opens', async () => {
    notice = '维护结束'
    await reload()
    await expect(dialog).toContainText('维护结束')
    await close()
  })
  await test.step('4 without one the stored one is shown on demand only', async () => {
    notice = ''
    await reload()
    await expect(dialog).toHaveCount(0)
    await button.click()
    await expect(dialog).toContainText('维护结束')
    expect(await stored(page, 'notice')).toBe('维护结束')
  })
})

test('4 the site information is loading until it is there, and a failed call leaves the cached one', async ({
  page,
  seeded,
}) => {
  const cached = (site: object) =>
    page.addInitScript(`localStorage.setItem('siteInfo', ${JSON.stringify(JSON.stringify(site))})`)
  const logo = page.locator('header a[href="/"]').first()
  await test.step('4 loading: the header waits with the name', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/status', async route => {
      await promise
      await route.continue()
    })
    await cached({ language: 'zh_CN' })
    await open(page, seeded, '/about')
    await expect(page.getByRole('heading', { name: t('menu.about') })).toBeVisible()
    await expect(logo).not.toContainText('One Hub')
    resolve()
    await expect(logo).toContainText('One Hub')
  })
  await test.step('4 failed: the cached name and footer are shown', async () => {
    await page.unroute('**/api/status')
    await page.route('**/api/status', route => route.abort())
    await cached({ language: 'zh_CN', hub_version: '7.8.9', system_name: '缓存站点' })
    await page.reload()
    await expect(logo).toContainText('缓存站点')
    await expect(page.locator('footer')).toContainText('缓存站点 7.8.9')
  })
})

test('4 the bar of the balance is green, a warning from 60 % of used / (remaining + used), and an error from 85 %', async ({
  page,
  seeded,
}) => {
  let used = 599
  await changeData(page, '**/api/user/session', data => ({
    ...data,
    ...{ used_quota: used, quota: 1_000 - used },
  }))
  await openSignedIn(page, seeded, '/panel/404')
  for (const [share, tone] of [
    [599, 'success'],
    [600, 'warning'],
    [849, 'warning'],
    [850, 'error'],
  ] as const)
    await test.step(`4 ${share / 10} % used: ${tone}`, async () => {
      used = share
      await page.reload()
      const name = t('account.usedOf', { percent: String(Math.round(share / 10)) })
      const bar = page.getByRole('progressbar', { name })
      await expect(bar).toBeVisible()
      const colour = await colourOf(page, tone)
      await expect(bar.locator('div')).toHaveCSS('background-color', colour)
    })
})

test('4 a channel is enabled, disabled by hand, or disabled by a test or by failures, and says which', async ({
  page,
  seeded,
}) => {
  const states = [
    ...[{ status: 1 }, { status: 2 }, { status: 3, status_reason: 'test: too slow' }],
    { status: 3, status_reason: 'failure: the key is refused' },
  ].map(each => ({ status_reason: '', ...each }))
  await changeData(page, '**/api/channel/?*', data => {
    const rows = (data as { data: object[] }).data.slice(0, states.length)
    return { ...data, data: rows.map((row, at) => ({ ...row, ...states[at] })) }
  })
  await openSignedIn(page, seeded, '/panel/channel')
  const row = (at: number) => page.locator('main tbody tr').nth(at)
  const badge = /停用$/
  for (const [at, checked, text] of [
    [0, true, undefined],
    [1, false, undefined],
    [2, false, '测试停用'],
    [3, false, '失败停用'],
  ] as const)
    await test.step(`4 ${JSON.stringify(states[at])}`, async () => {
      await expect(row(at).getByRole('switch')).toBeChecked({ checked })
      if (text) await expect(row(at).getByText(text, { exact: true })).toBeVisible()
      else await expect(row(at).getByText(badge)).toHaveCount(0)
    })
})

test('4 a user is promoted to administrator and demoted, and is deleted', async ({ seeded }) => {
  const { gateway, admin } = seeded
  const { username, password, id, cookie } = await admin.addPerson(0)
  const manage = (action: string) =>
    admin.api<{ role: number }>('POST', '/api/user/manage', { username, action })
  // A change of the role ends the sessions of before.
  const mayManage = async () => {
    const session = { cookie: (await admin.signIn(username, password)).cookie }
    return (await callApi<unknown>(gateway, session, 'GET', '/api/user/')).success
  }
  expect(await mayManage()).toBe(false)
  expect((await manage('promote')).role).toBe(10)
  expect((await callApi<unknown>(gateway, { cookie }, 'GET', '/api/token/')).status).toBe(401)
  expect(await mayManage()).toBe(true)
  expect((await manage('demote')).role).toBe(1)
  expect(await mayManage()).toBe(false)
  await manage('delete')
  await expect(admin.user(id)).rejects.toThrow(/404/)
  await expect(admin.signIn(username, password)).rejects.toThrow(/sign-in refused/)
})
