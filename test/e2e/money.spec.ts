import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../harness/client.ts'
import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test.beforeEach(async ({ page, hub }) => {
  await dress(page, 'en_US')
  await signIn(page, hub)
})

test('a balance is changed by what was read before the button was pressed', async ({
  page,
  hub: { gateway, admin },
}) => {
  const person = await admin.addPerson(1_000_000)
  const balance = async () => (await admin.user(person.id)).quota
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByLabel(t('users.quota.amount'))
  const open = async () => {
    await page
      .getByRole('button', { name: t('common.actionsOf', { name: person.username }) })
      .click()
    await page.getByRole('menuitem', { name: t('users.actions.quota') }).click()
  }
  await page.goto(`${gateway.url}/panel/user`)

  await open()
  await amount.fill('1.25')
  await expect(dialog.getByText('$3.25')).toBeVisible()
  expect(await balance()).toBe(1_000_000)
  await dialog.getByRole('button', { name: t('users.quota.action.add') }).click()
  await expect(dialog).toBeHidden()
  expect(await balance()).toBe(1_625_000)

  await open()
  await dialog.getByRole('button', { name: t('users.quota.deduct'), exact: true }).click()
  await amount.fill('3.26')
  await dialog.getByRole('button', { name: t('users.quota.action.deduct') }).click()
  await expect(
    dialog.getByText(t('users.quota.errors.balance', { balance: '$3.25' })),
  ).toBeVisible()
  expect(await balance()).toBe(1_625_000)
  await amount.fill('0.25')
  await dialog.getByRole('button', { name: t('users.quota.action.deduct') }).click()
  await expect(dialog).toBeHidden()
  expect(await balance()).toBe(1_500_000)
})

test('a credit asks for the password first, and is made once it is right', async ({
  browser,
  hub: { gateway, admin },
}) => {
  const person = await admin.addPerson(0)
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await dress(page, 'en_US')
  const signedIn = await page.request.post(`${gateway.url}/api/user/login`, {
    data: { username: 'root', password: gateway.rootPassword },
    headers: { origin: gateway.url },
  })
  expect(signedIn.ok()).toBe(true)
  await page.goto(`${gateway.url}/panel/user`)
  await page.getByRole('button', { name: t('common.actionsOf', { name: person.username }) }).click()
  await page.getByRole('menuitem', { name: t('users.actions.quota') }).click()
  await page.getByLabel(t('users.quota.amount')).fill('1')
  await page.getByRole('button', { name: t('users.quota.action.add') }).click()
  const proof = page.getByRole('dialog', { name: t('profile.proof.title') })
  const password = proof.getByLabel(t('profile.fields.current_password'))
  await password.fill('not-the-password')
  await proof.getByRole('button', { name: t('profile.proof.submit') }).click()
  await expect(proof.getByText(t('faults.password.wrong')).first()).toBeVisible()
  expect((await admin.user(person.id)).quota).toBe(0)
  await password.fill(gateway.rootPassword)
  await proof.getByRole('button', { name: t('profile.proof.submit') }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect((await admin.user(person.id)).quota).toBe(500_000)
  await context.close()
})

test('somebody is invited, signs up, redeems a code that was made in the console, and both have their quota', async ({
  page,
  browser,
  hub: { gateway, admin },
}) => {
  await admin.setOption('InviterRewardTime', 'at_once')
  await admin.setOption('QuotaForInviter', '250000')
  await admin.setOption('QuotaForInvitee', '500000')
  await page.goto(`${gateway.url}/panel/redemption`)
  await page
    .getByRole('button', { name: t('redemptions.create') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('redemptions.fields.name')).fill('Welcome')
  await dialog.getByLabel(t('redemptions.fields.quota')).fill('2')
  await dialog.getByRole('button', { name: t('redemptions.create') }).click()
  const codes = dialog.getByLabel(t('redemptions.made.list'))
  await expect(codes).toHaveText(/^[0-9a-f]{32}$/)
  const code = (await codes.textContent()) ?? ''

  await page.goto(`${gateway.url}/panel/topup`)
  const link = page.getByText('/register?aff=')
  const address = (await link.textContent()) ?? ''
  const context = await browser.newContext()
  const other = await context.newPage()
  await dress(other, 'en_US')
  await other.goto(address)
  await other.getByLabel(t('sign-in.register.username')).fill('newcomer')
  await other.getByLabel(t('sign-in.fields.password'), { exact: false }).first().fill('a-password')
  await other.getByLabel(t('sign-in.register.again')).fill('a-password')
  await other.getByRole('button', { name: t('sign-in.register.action') }).click()
  await other.getByLabel(t('sign-in.fields.username')).fill('newcomer')
  await other.getByLabel(t('sign-in.fields.password')).first().fill('a-password')
  await other
    .getByRole('main')
    .getByRole('button', { name: t('menu.login') })
    .click()
  await other.waitForURL(/\/panel/)

  await other.goto(`${gateway.url}/panel/topup`)
  const main = other.getByRole('main')
  await expect(main.getByText('$1.00').first()).toBeVisible()
  const field = main.getByLabel(t('profile.fields.key'))
  await field.fill(code)
  await main.getByRole('button', { name: t('profile.topUp.action') }).click()
  await expect(main.getByText('$3.00').first()).toBeVisible()
  await field.fill(code)
  await main.getByRole('button', { name: t('profile.topUp.action') }).click()
  await expect(main.getByText(t('faults.redemption.used'))).toBeVisible()
  await main.getByRole('button', { name: t('profile.topUp.buy') }).click()
  await expect(other.getByText(t('profile.topUp.noLink'))).toBeVisible()
  await context.close()

  await page.reload()
  await expect(page.getByRole('main').getByText('$0.50').nth(1)).toBeVisible()
})

test('a cap and an allow-list set in the form hold at the public door', async ({
  page,
  hub: { gateway, upstream, admin },
}) => {
  await admin.addChannel(`${upstream.url}/a`, { models: 'cheap-model,other-model' })
  await admin.setPrice('cheap-model', 'times', 0.1)
  await admin.setPrice('other-model', 'times', 0.1)
  const dialog = page.getByRole('dialog')
  await page.goto(`${gateway.url}/panel/token`)
  await page
    .getByRole('button', { name: t('tokens.create') })
    .first()
    .click()
  await dialog.getByLabel(t('tokens.fields.name')).fill('Capped')
  const noCap = dialog.getByLabel(t('tokens.fields.unlimited_quota'))
  if (await noCap.isChecked()) await noCap.click()
  // 150 points: one call of 100 and no second one.
  await dialog.getByLabel(t('tokens.fields.remain_quota')).fill('0.0003')
  await dialog.getByRole('button', { name: t('tokens.sections.limits') }).click()
  await dialog.getByLabel(t('tokens.limits.models')).click()
  const allowed = dialog.getByRole('combobox', { name: t('tokens.limits.modelsLabel') })
  await allowed.fill('cheap-model')
  await allowed.press('Enter')
  await allowed.press('Tab')
  await dialog.locator('button[type=submit]').click()

  await expect(page.getByText(t('tokens.made.title', { name: 'Capped' }))).toBeVisible()
  const key = await dialog.locator('pre').first().innerText()
  expect(key).toMatch(/^sk-[\w-]+$/)
  const call = async (model: string) => (await ask({ url: gateway.url, key, model })).status
  await sleep(400)
  // For this token the model does not exist.
  expect(await call('other-model')).toBe(404)
  expect(await call('cheap-model')).toBe(200)
  await sleep(400)
  // As OpenAI answers: insufficient_quota.
  expect(await call('cheap-model')).toBe(429)
})

test('a key is masked until it is asked for, and the asking is written down', async ({
  page,
  context,
  hub: { gateway, admin },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${gateway.url}/panel/token`)
  await expect(page.getByText('initial').first()).toBeVisible()
  expect(await page.content()).not.toContain(gateway.rootKey)
  await page.getByRole('button', { name: t('tokens.copyKeyOf', { name: 'initial' }) }).click()
  await expect(page.getByText(t('common.copied', { what: t('tokens.fields.key') }))).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(gateway.rootKey)
  const audit = await admin.api<{ data: { action: string }[] }>('GET', '/api/audit/?page=1&size=10')
  expect(audit.data.some(row => /reveal/.test(row.action))).toBe(true)
})
