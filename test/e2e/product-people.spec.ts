import { callApi } from '../harness/admin.ts'
import { ask } from '../harness/client.ts'
import { expect, type Hub, openHub, signInAs, test } from './hub.ts'
import { menuOf, open, openSignedIn, stored, submitSignIn, t } from './product.ts'

// The lines of the specification about people and settings, as a person reads them: in its own language, verbatim.

const call = (hub: Hub, method: string, path: string, body?: object) =>
  callApi<unknown>(hub.gateway, {}, method, path, body)

test('3 a user has the bindings of the specification, and no access token is sent', async ({
  seeded,
}) => {
  const user = await seeded.admin.api<object>('GET', '/api/user/self')
  for (const field of ['wechat_id', 'github_id', 'lark_id', 'oidc_id', 'email', 'telegram_id'])
    expect(Object.keys(user), field).toContain(field)
  expect(JSON.stringify(user)).not.toContain(seeded.gateway.accessToken)
})

test('3 the map of user groups is keyed by the symbol', async ({ seeded }) => {
  const { data } = await call(seeded, 'GET', '/api/user_group_map')
  expect(data).toMatchObject({ default: { symbol: 'default', ratio: 1 } })
})

test('3 a token has the fields of the specification', async ({ seeded }) => {
  const { data } = await seeded.admin.api<{ data: object[] }>('GET', '/api/token/')
  for (const field of [
    ...['name', 'status', 'remain_quota', 'used_quota', 'unlimited_quota', 'expired_time'],
    ...['group', 'created_time', 'api_rate'],
  ])
    expect(Object.keys(data[0] ?? {}), field).toContain(field)
})

test('3 the site has the default language and its list of owners', async () => {
  const hub = await openHub({ LANGUAGE: '' })
  expect((await call(hub, 'GET', '/api/status')).data).toMatchObject({ language: 'zh_CN' })
  expect((await call(hub, 'GET', '/api/ownedby')).data).toMatchObject({ 1: { name: 'OpenAI' } })
  await hub.close()
})

test('3 the quota of a token is only a cap: the balance of the account limits the calls', async ({
  hub,
}) => {
  const { admin, gateway, upstream } = hub
  await admin.addChannel(`${upstream.url}/a`, { name: 'Capped', models: 'capped-model' })
  await admin.setPrice('capped-model', 'tokens', 1)
  const statusOf = (key: string) =>
    ask({ url: gateway.url, key, model: 'capped-model' }).then(({ status }) => status)
  const rich = await admin.addPerson(5_000_000, { unlimited_quota: false, remain_quota: 1 })
  expect(await statusOf(rich.key)).not.toBe(200)
  const poor = await admin.addPerson(1, { unlimited_quota: false, remain_quota: 5_000_000 })
  expect(await statusOf(poor.key)).not.toBe(200)
  const both = await admin.addPerson(5_000_000, { unlimited_quota: false, remain_quota: 5_000_000 })
  expect(await statusOf(both.key)).toBe(200)
})

test('3 of the default chat clients two are shown in their order, and two are hidden', async ({
  page,
  seeded,
}) => {
  await openSignedIn(page, seeded, '/panel/dashboard?view=mine')
  const names = ['ChatGPT Next', 'chatgpt-web-midjourney-proxy']
  const buttons = page.getByRole('button').filter({ hasText: new RegExp(names.join('|')) })
  await expect(buttons).toHaveText(names)
  for (const hidden of ['AMA', 'OpenCat'])
    await expect(page.getByRole('button', { name: hidden, exact: true })).toHaveCount(0)
})

test('3 the menu stays as it was left, also after a visit to the public pages', async ({
  page,
  seeded,
}) => {
  await openSignedIn(page, seeded, '/panel/user_group')
  const toggle = page.getByRole('button', { name: t('menu.toggle') })
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await page.locator('header a[href="/"]').first().click()
  await page
    .getByRole('link', { name: t('menu.console') })
    .first()
    .click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
})

test('3 the local storage keeps user, theme, language, invitation and notice', async ({
  page,
  hub,
}) => {
  await hub.admin.setOption('Notice', '今晚维护')
  await open(page, hub, '/register?aff=CODE')
  await expect.poll(() => stored(page, 'aff')).toBe('CODE')
  await expect.poll(() => stored(page, 'notice')).toContain('今晚维护')
  await page.getByRole('dialog', { name: '公告' }).getByRole('button').first().click()
  await page.getByRole('button', { name: t('common.toggleTheme') }).click()
  await expect.poll(() => stored(page, 'theme')).toBe('dark')
  await page.goto(`${hub.gateway.url}/login`)
  await submitSignIn(page, hub)
  await page.waitForURL(/\/panel/)
  await expect.poll(() => stored(page, 'user')).toContain('"username":"root"')
  expect(await stored(page, 'user')).not.toContain('quota')
  expect(await stored(page, 'appLanguage')).toBe('zh_CN')
})

test('5 registering needs a name, an e-mail address, a password and a code', async ({
  page,
  hub,
}) => {
  await hub.admin.setOption('SMTPServer', '127.0.0.1')
  await hub.admin.setOption('SMTPFrom', 'hub@example.com')
  await hub.admin.setOption('EmailVerificationEnabled', 'true')
  await open(page, hub, '/register')
  await page.getByRole('textbox', { name: '邮箱', exact: true }).fill('not-an-address')
  await page.locator('main button[type=submit]').click()
  for (const key of ['profile.help.username', 'profile.help.password'])
    await expect(page.getByRole('alert').getByText(t(key))).toBeVisible()
  for (const key of ['sign-in.email.required', 'sign-in.email.codeRequired'])
    await expect(page.getByText(t(key))).toBeVisible()
  await expect(page).toHaveURL(/\/register/)
  const user = { username: 'no-code', password: 'long-enough-1', email: 'somebody@gmail.com' }
  expect((await call(hub, 'POST', '/api/user/register', user)).code).toBe('mail.code_wrong')
})

test('5 registering waits while the bot check runs', async ({ page, hub }) => {
  const script = "window.turnstile = { render: () => 'id', remove: () => undefined }"
  await page.route('https://challenges.cloudflare.com/**', route =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await hub.admin.setOption('TurnstileSiteKey', 'site-key')
  await hub.admin.setOption('TurnstileSecretKey', 'secret')
  await hub.admin.setOption('TurnstileCheckEnabled', 'true')
  await open(page, hub, '/register')
  await page.getByLabel(t('sign-in.register.username')).fill('somebody')
  for (const field of await page.locator('main input[type=password]').all())
    await field.fill('long-enough-1')
  await page.locator('main button[type=submit]').click()
  await expect(page.getByRole('alert')).toContainText(t('faults.turnstile.missing'))
  await expect(page).toHaveURL(/\/register/)
})

test('5 WeChat needs a code', async ({ seeded }) => {
  for (const path of ['/api/oauth/wechat', '/api/oauth/wechat?code='])
    expect((await call(seeded, 'GET', path)).success, path).toBe(false)
})

test('5 a user needs a group that exists', async ({ seeded }) => {
  const user = { username: 'no-group', password: 'long-enough-1' }
  for (const group of ['', 'no-such-group']) {
    const session = { bearer: seeded.gateway.accessToken }
    const body = { ...user, group }
    const { code } = await callApi<unknown>(seeded.gateway, session, 'POST', '/api/user/', body)
    expect(code, group).toMatch(/^(request\.invalid|group\.unknown)$/)
  }
})

test('5 without a top-up link of the administrator an error is shown', async ({ page, seeded }) => {
  await openSignedIn(page, seeded, '/panel/topup')
  await page.getByRole('button', { name: '获取兑换码' }).click()
  await expect(page.getByText('管理员尚未设置充值链接')).toBeVisible()
})

test('6 an administrator is shown every item that the specification names', async ({
  page,
  seeded,
}) => {
  await openSignedIn(page, seeded, '/panel/user_group')
  for (const item of [
    ...['dashboard', 'playground', 'user', 'channel', 'operation', 'user_group', 'pricing'],
    ...['model_ownedby', 'paySetting', 'token', 'profile', 'setting', 'topup', 'model_price'],
    ...['log', 'invoice', 'midjourney', 'task'],
  ])
    await expect(
      menuOf(page)
        .getByText(t(`menu.${item}`), { exact: true })
        .first(),
    ).toBeVisible()
})

test('6 role 10 is told that settings and sign-in providers need the super administrator', async ({
  page,
  seeded,
}) => {
  const admin = await seeded.admin.addPerson(0, {}, { role: 10 })
  const { gateway } = seeded
  await signInAs(page, seeded, admin)
  for (const path of ['setting', 'oauth_provider']) {
    await open(page, seeded, `/panel/${path}`)
    await expect(page.getByText('此页面需要“超级管理员”角色')).toBeVisible()
  }
  const session = { cookie: admin.cookie }
  const list = await callApi<unknown>(gateway, session, 'GET', '/api/custom-oauth-provider/')
  expect(list.code).toBe('access.denied')
})

test('8 a failed call shows the text of the specification', async ({ page, seeded }) => {
  await seeded.admin.api('POST', '/api/user_group/', {
    symbol: 'failing',
    name: 'Failing',
    ratio: 1,
  })
  await openSignedIn(page, seeded, '/panel/user_group')
  for (const [status, text] of [
    [429, '错误：请求次数过多，请稍后再试！'],
    [500, '错误：服务器内部错误，请联系管理员！'],
    [405, '本站仅作演示之用，无服务端！'],
  ] as const) {
    await page.route('**/api/user_group/enable/**', route => route.fulfill({ status, body: '' }))
    await page.getByRole('switch', { name: t('groups.toggle', { name: 'Failing' }) }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: t('groups.disable.action') }).click()
    await expect(page.getByText(text)).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await page.unroute('**/api/user_group/enable/**')
  }
})
