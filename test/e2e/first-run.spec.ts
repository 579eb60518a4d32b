import { ask } from '../harness/client.ts'
import { countClicks, dress, expect, looksRight, signIn, standsStillFromHere, test } from './hub.ts'
import { words } from './words.ts'

const t = words('en_US')

test('an empty installation is filled from its dashboard, and the first call appears by itself', async ({
  page,
  hub,
}) => {
  await dress(page, 'en_US')
  const { gateway, upstream } = hub
  await signIn(page, hub)
  const clicks = await countClicks(page)
  await page.goto(`${gateway.url}/panel`)
  const dialog = page.getByRole('dialog')
  const field = (key: string) => dialog.getByLabel(t(key), { exact: false }).first()
  const submit = () => dialog.locator('button[type=submit]').click()
  await looksRight(page)

  await page.getByRole('button', { name: t('dashboard.first.channel.action') }).click()
  await dialog.getByRole('radio', { name: 'OpenAI', exact: true }).click({ force: true })
  await field('channels.fields.name').fill('First channel')
  await field('channels.fields.base_url').fill(`${upstream.url}/a`)
  await field('channels.fields.key').fill('sk-vendor-key')
  await submit()
  // The form offers the provider's own models, which have prices from the start.
  await dialog
    .getByRole('button', { name: t('common.clear'), exact: true })
    .last()
    .click()
  await field('channels.fields.models').fill('house-model')
  await field('channels.fields.models').press('Enter')
  await submit()
  const results = dialog.getByRole('list', { name: t('channel-create.test.results') })
  await expect(results.getByText(/\d ms|\d s/).first()).toBeVisible()
  await dialog.getByRole('button', { name: t('channel-create.enable') }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: t('dashboard.first.price.action') }).click()
  // The form already contains the model of the channel.
  await expect(field('prices.fields.model')).toHaveValue('house-model')
  await field('prices.fields.input').fill('2')
  await field('prices.fields.output').fill('4')
  await submit()
  await expect(dialog).toBeHidden()

  // The root of a gateway under test has a token from its start; without one the third step is open.
  await expect(page.getByText(t('dashboard.first.call.waiting'))).toBeVisible()
  await standsStillFromHere(page)
  await looksRight(page)
  await page.getByRole('button', { name: t('dashboard.reveal') }).click()
  // Without the press that cleared the offered models: who keeps them needs neither it nor the two for a price.
  expect(clicks() - 1, 'from the start to the call').toBeLessThanOrEqual(8)
  const curl = page.getByLabel('curl', { exact: true })
  await expect(curl).toContainText(gateway.rootKey)
  await expect(curl).toContainText('"model":"house-model"')
  await expect(curl).toContainText(`${gateway.url}/v1/chat/completions`)

  expect((await ask({ url: gateway.url, key: gateway.rootKey, model: 'house-model' })).status).toBe(
    200,
  )
  await expect(page.getByText(t('dashboard.first.call.arrived'))).toBeVisible()
  // 10 tokens in at $2 a million, 5 out at $4.
  await expect(page.getByLabel('20 points', { exact: true }).first()).toHaveText('$0.00004')
})
