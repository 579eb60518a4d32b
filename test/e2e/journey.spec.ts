import { expect, test } from './hub.ts'
import { dress, looksRight, standsStillFromHere } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('from the first start to a charged chat: sign in, channel, price, token, playground, log row, balance', async ({
  page,
  hub,
}) => {
  await dress(page, 'en_US')
  const { gateway, upstream } = hub
  const at = (path: string) => page.goto(`${gateway.url}${path}`)
  const dialog = page.getByRole('dialog')
  const labelled = (key: string) => dialog.getByLabel(t(key), { exact: false }).first()

  await at('/login')
  await page.getByLabel(t('sign-in.fields.username')).fill('root')
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(gateway.rootPassword)
  await page.getByRole('button', { name: t('menu.login') }).click()
  await expect(page).toHaveURL(/\/panel/)
  await looksRight(page)
  const before = (await hub.admin.api<{ quota: number }>('GET', '/api/user/self')).quota

  await at('/panel/channel')
  await page
    .getByRole('link', { name: t('channels.create') })
    .first()
    .click()
  await expect(page).toHaveURL(/channel\/new/)
  await expect(page.getByRole('heading', { name: t('channels.create') })).toBeVisible()
  await looksRight(page)
  await page.getByRole('radio', { name: 'OpenAI', exact: true }).click({ force: true })
  const field = (key: string) => page.locator('main').getByLabel(t(key), { exact: false }).first()
  await field('channels.fields.name').fill('First channel')
  await field('channels.fields.base_url').fill(`${upstream.url}/a`)
  await looksRight(page)
  // A reload keeps what was typed, except for secrets.
  await page.reload()
  await expect(field('channels.fields.name')).toHaveValue('First channel')
  await field('channels.fields.key').fill('sk-vendor-key')
  await page.getByRole('button', { name: t('channel-create.next') }).click()
  const models = field('channels.fields.models')
  await models.fill('house-model')
  await models.press('Enter')
  // The question about prices makes room for itself once the server has answered.
  await expect(page.getByText(t('channels.unpriced.text'))).toBeVisible()
  await standsStillFromHere(page)
  await page.getByRole('button', { name: t('channel-create.store') }).click()
  // The price follows on its own page, so the form asks first.
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('house-model')
  await question.getByRole('button', { name: t('channels.unpriced.question.action') }).click()
  const results = page.getByRole('list', { name: t('channel-create.test.results') })
  await expect(results.getByText(/\d ms|\d s/)).toHaveCount(1)
  await looksRight(page)
  await page.getByRole('button', { name: t('channel-create.enable') }).click()
  await expect(page.getByRole('heading', { name: 'First channel' })).toBeVisible()
  await looksRight(page)

  await at('/panel/pricing')
  await page
    .getByRole('button', { name: t('prices.create') })
    .first()
    .click()
  await labelled('prices.fields.model').fill('house-model')
  // Dollars for a million tokens.
  await labelled('prices.fields.input').fill('2')
  await labelled('prices.fields.output').fill('4')
  await dialog.locator('button[type=submit]').click()
  await expect(dialog).toBeHidden()

  await at('/panel/token')
  await page
    .getByRole('button', { name: t('tokens.create') })
    .first()
    .click()
  await labelled('tokens.fields.name').fill('My token')
  await dialog.locator('button[type=submit]').click()
  await expect(page.getByText(t('tokens.made.title', { name: 'My token' }))).toBeVisible()
  await page.getByRole('button', { name: t('tokens.made.done') }).click()

  await at('/panel/playground')
  const model = page.getByRole('combobox', { name: t('playground.model') })
  await expect(model).not.toHaveValue('')
  await model.fill('house-model')
  await page.getByRole('option', { name: 'house-model' }).click()
  await page.getByLabel(t('playground.message')).fill('Say something.')
  await page.keyboard.press('Enter')
  // The vendor's five pieces, as they stream in.
  await expect(page.getByText(/t0 x\s*t1 x\s*t2 x\s*t3 x\s*t4 x/).first()).toBeVisible()
  // The receipt is the row of this very call.
  await expect(page.getByText('$0.00004', { exact: true }).first()).toBeVisible()
  await looksRight(page)

  await at('/panel/log')
  await expect(page.getByText('house-model').first()).toBeVisible()
  await looksRight(page)

  // 10 tokens in at a point each, 5 out at two.
  const after = (
    await hub.admin.api<{ quota: number; used_quota: number }>('GET', '/api/user/self')
  ).quota
  expect(before - after).toBe(20)
  // The other call was the test of the new channel, with a model of its own.
  const chats = upstream.served.filter(each => each.model === 'house-model')
  expect(chats.map(each => each.credential)).toEqual(['Bearer sk-vendor-key'])
})
