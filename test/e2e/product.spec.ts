import type { Page } from '@playwright/test'
import { callApi } from '../harness/admin.ts'
import { expect, type Hub, signIn, signInAs, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { code, isRefused } from './product.ts'
import { words } from './words.ts'

// One case for each line of the specification's sections 3, 5 and 6 that is about people and settings.

const t = words('en_US')

const open = async (page: Page, hub: Hub, path: string) => {
  await dress(page, 'en_US')
  await page.goto(`${hub.gateway.url}${path}`)
}

test('3 a user has the fields of the specification', async ({ seeded }) => {
  const user = await seeded.admin.api<Record<string, unknown>>('GET', '/api/user/self')
  for (const field of [
    ...['id', 'username', 'display_name', 'email', 'avatar_url', 'group', 'quota', 'used_quota'],
    ...['request_count', 'aff_count', 'aff_quota', 'role', 'status', 'created_time'],
  ])
    expect(Object.keys(user), field).toContain(field)
  expect(Object.keys(user)).not.toContain('password')
})

test('3 a user group has symbol, name, ratio, rate, public and enable', async ({ seeded }) => {
  const { data } = await seeded.admin.api<{ data: object[] }>('GET', '/api/user_group/?size=10')
  for (const field of ['id', 'symbol', 'name', 'ratio', 'api_rate', 'public', 'enable'])
    expect(Object.keys(data[0] ?? {}), field).toContain(field)
})

test('3 the site information has the fields of the specification', async ({ seeded }) => {
  const { data } = await callApi<object>(seeded.gateway, {}, 'GET', '/api/status')
  for (const field of [
    ...['UserInvoiceMonth', 'chat_link', 'chat_links', 'display_in_currency', 'email_verification'],
    ...['footer_html', 'github_client_id', 'github_oauth', 'oidc_auth', 'logo', 'quota_per_unit'],
    ...['server_address', 'start_time', 'system_name', 'language', 'top_up_link', 'version'],
    ...['turnstile_check', 'turnstile_site_key', 'wechat_login', 'wechat_qrcode', 'lark_login'],
    ...['lark_client_id', 'telegram_bot'],
  ])
    expect(Object.keys(data), field).toContain(field)
})

test('3 the site information has the defaults of the specification', async ({ hub }) => {
  const { data } = await callApi<object>(hub.gateway, {}, 'GET', '/api/status')
  expect(data).toMatchObject({
    ...{ quota_per_unit: 500_000, display_in_currency: true, system_name: 'One Hub' },
    version: 'v0.14.13',
  })
})

test('3 a change of quota carries a remark', async ({ seeded }) => {
  const { id } = await seeded.admin.addPerson(1_000)
  const path = `/api/user/quota/${id}`
  expect(await code(seeded, 'POST', path, { quota: 500, remark: 'for the demo' })).toBe('ok')
  expect(await seeded.admin.user(id)).toMatchObject({ quota: 1_500 })
})

test('3 the keys of the local storage are those of the specification', async ({ page, seeded }) => {
  await open(page, seeded, '/?lng=en_US')
  await page.locator('main h1').first().waitFor()
  await expect
    .poll(() => page.evaluate<string[]>('Object.keys(localStorage)'))
    .toEqual(expect.arrayContaining(['siteInfo', 'quota_per_unit', 'display_in_currency']))
})

test('5 a profile needs a user name of at least 3 characters', async ({ seeded }) => {
  await isRefused(seeded, 'PUT', '/api/user/self', { username: 'ab' })
})

test('5 a password has at least 8 characters', async ({ seeded }) => {
  await isRefused(seeded, 'POST', '/api/user/', { username: 'short-one', password: '1234567' })
})

test('5 a user needs a name and a password', async ({ seeded }) => {
  await isRefused(seeded, 'POST', '/api/user/', { username: '', password: 'long-enough-1' })
  await isRefused(seeded, 'POST', '/api/user/', { username: 'nameless' })
})

test('5 a quota is not negative', async ({ seeded }) => {
  const user = { username: 'negative-one', password: 'long-enough-1', quota: -1 }
  await isRefused(seeded, 'POST', '/api/user/', user)
})

test('5 a change of quota is required and cannot deduct more than the balance', async ({
  seeded,
}) => {
  const { id } = await seeded.admin.addPerson(1_000)
  await isRefused(seeded, 'POST', `/api/user/quota/${id}`, { remark: 'nothing' })
  const deducted = await code(seeded, 'POST', `/api/user/quota/${id}`, {
    quota: -1_001,
    remark: '',
  })
  expect(deducted).toBe('quota.below_zero')
  expect(await seeded.admin.user(id)).toMatchObject({ quota: 1_000 })
})

test('5 a user group needs a name', async ({ seeded }) => {
  await isRefused(seeded, 'POST', '/api/user_group/', { symbol: 'nameless', name: '', ratio: 1 })
})

test('5 registering needs passwords that match', async ({ page, seeded }) => {
  await open(page, seeded, '/register')
  await page.locator('main input').first().fill('somebody')
  const passwords = page.locator('main input[type=password]')
  await passwords.nth(0).fill('long-enough-1')
  await passwords.nth(1).fill('long-enough-2')
  await page.locator('main button[type=submit]').click()
  await expect(page.locator('main [role=alert]').first()).toBeVisible()
  await expect(page).toHaveURL(/\/register/)
})

test('5 signing in needs a name and a password', async ({ page, seeded }) => {
  await open(page, seeded, '/login')
  await page
    .getByRole('button', { name: t('menu.login') })
    .last()
    .click()
  await expect(page.locator('main [role=alert]').first()).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
})

test('5 an invalid setting is refused at its field, and the old one stays', async ({
  page,
  seeded,
}) => {
  await dress(page, 'en_US')
  await signIn(page, seeded)
  await page.goto(`${seeded.gateway.url}/panel/setting?tab=operation`)
  const name = t('settings.fields.RetryTimes')
  const retries = page.getByRole('spinbutton', { name, exact: true })
  await retries.fill('11')
  await page.locator('main button[type=submit]').click()
  await expect(page.locator('main [role=alert]').first()).toBeVisible()
  await page.reload()
  await expect(retries).toHaveValue('3')
})

test('6 a page of the console needs a session, and returns there after signing in', async ({
  page,
  seeded,
}) => {
  const user = await seeded.admin.addPerson(0)
  await open(page, seeded, '/panel/token')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel(t('sign-in.fields.username')).fill(user.username)
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(user.password)
  await page
    .getByRole('button', { name: t('menu.login') })
    .last()
    .click()
  await expect(page).toHaveURL(/\/panel\/token$/)
})

test('6 role 10 counts as administrator, role 1 does not', async ({ seeded }) => {
  const admin = await seeded.admin.addPerson(0, {}, { role: 10 })
  const user = await seeded.admin.addPerson(0)
  expect(await code(seeded, 'GET', '/api/user/', undefined, admin.cookie)).toBe('ok')
  expect(await code(seeded, 'GET', '/api/user/', undefined, user.cookie)).toBe('access.denied')
  expect(await code(seeded, 'GET', '/api/option/', undefined, admin.cookie)).toBe('access.denied')
})

test('6 items for administrators are shown to administrators only', async ({ page, seeded }) => {
  const user = await seeded.admin.addPerson(0)
  await dress(page, 'en_US')
  await signInAs(page, seeded, user)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${seeded.gateway.url}/panel/token`)
  const menu = page
    .locator('#menu, nav')
    .filter({ hasText: t('menu.token') })
    .first()
  await expect(menu).toBeVisible()
  for (const item of ['channel', 'user', 'setting'])
    await expect(menu.getByText(t(`menu.${item}`), { exact: true })).toHaveCount(0)
})

test('6 the public playground link appears only when signed in', async ({ page, seeded }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, seeded, '/')
  const link = page.getByRole('link', { name: t('menu.playground') })
  await page
    .getByRole('link', { name: t('menu.price') })
    .first()
    .waitFor()
  await expect(link).toHaveCount(0)
  await signIn(page, seeded)
  await page.goto(`${seeded.gateway.url}/`)
  await expect(link.first()).toBeVisible()
})

test('6 secret settings are never sent to the browser', async ({ seeded }) => {
  await seeded.admin.setOption('SMTPToken', 'a secret of the mail server')
  const rows = await seeded.admin.api<{ key: string }[]>('GET', '/api/option/')
  expect(JSON.stringify(rows)).not.toContain('a secret of the mail server')
  expect(rows.find(each => each.key === 'SMTPToken')).toEqual({
    ...{ key: 'SMTPToken', value: '', is_set: true },
  })
  await seeded.admin.setOption('SMTPToken', '')
})
