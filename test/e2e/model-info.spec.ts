import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../harness/addresses/keep-alive.ts'
import { expect, openHub, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { words } from './words.ts'

const described = {
  ...{ name: 'Small One', description: 'Answers short questions.' },
  ...{ context_length: 128_000, max_tokens: 4_096 },
  ...{ input_modalities: ['text', 'image'], output_modalities: ['text'], tags: ['Hot'] },
  support_url: ['https://vendor.example/docs'],
}

test('model information is created, found, changed and deleted, and describes the model in the list', async ({
  page,
  hub,
}) => {
  const t = words('en_US')
  const { admin, gateway, upstream } = hub
  await admin.addChannel(`${upstream.url}/a`, { name: 'Main', models: 'small,large' })
  for (const model of ['small', 'large']) await admin.setPrice(model, 'tokens', 1)
  await dress(page, 'en_US')
  await signIn(page, hub)
  await page.goto(`${gateway.url}/panel/model_info`)
  await page
    .getByRole('button', { name: t('model-info.create') })
    .first()
    .click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: t('model-info.fields.model') }).click()
  await page.getByRole('option', { name: 'small', exact: true }).click()
  const name = form.getByLabel(t('model-info.fields.name'))
  await expect(name).toHaveValue('small')
  await name.fill(described.name)
  const description = form.getByLabel(t('model-info.fields.description'))
  await expect(description).toHaveJSProperty('tagName', 'TEXTAREA')
  await description.fill(described.description)
  const inputs = form.getByRole('combobox', { name: t('model-info.fields.input_modalities') })
  await inputs.fill('Image')
  await page.getByRole('option', { name: t('model-details.modalities.image') }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('combobox', { name: t('model-info.fields.tags') }).fill('Hot,')
  const links = form.getByLabel(t('model-info.fields.support_url'))
  await links.fill('vendor.example/docs')
  await form.locator('button[type=submit]').click()
  await expect(form.getByText(/Enter at most 20 http/)).toBeVisible()
  await links.fill(described.support_url[0]!)
  await isAccessible(page)
  await form.locator('button[type=submit]').click()
  const row = page.getByRole('row').filter({ hasText: 'small' })
  await expect(row).toContainText('128,000')
  await expect(row).toContainText(t('model-details.modalities.image'))

  await page.getByRole('searchbox').fill('image')
  await expect(row).toBeVisible()
  await page.getByRole('searchbox').fill('questions')
  await expect(row).toBeHidden()

  await page.goto(`${gateway.url}/panel/model_price`)
  const cards = page.locator('main ul li')
  await expect(cards).toHaveCount(2)
  await page.getByRole('button', { name: t('model-details.modalities.image') }).click()
  await expect(cards).toHaveCount(1)
  await page.reload()
  await expect(cards).toHaveCount(1)
  await page.getByRole('button', { name: t('model-details.modalities.image') }).click()
  await page.getByRole('searchbox').fill('short QUESTIONS')
  await expect(cards).toHaveCount(1)
  await isAccessible(page)
  await cards.getByRole('button', { name: t('models.details', { name: 'small' }) }).click()
  const link = page.getByRole('dialog').getByRole('link', { name: 'vendor.example/docs' })
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(link).toHaveAttribute('href', described.support_url[0]!)

  await page.goto(`${gateway.url}/panel/model_info`)
  const menu = page.getByRole('button', { name: t('common.actionsOf', { name: described.name }) })
  await menu.click()
  await page.getByRole('menuitem', { name: t('common.edit') }).click()
  await form.getByLabel(t('model-info.fields.name')).fill('Smaller')
  await form.locator('button[type=submit]').click()
  await expect(row).toContainText('Smaller')
  await page.getByRole('button', { name: t('common.actionsOf', { name: 'Smaller' }) }).click()
  await page.getByRole('menuitem', { name: t('common.delete') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('common.delete') })
    .click()
  await expect(page.getByText(t('model-info.empty.title'))).toBeVisible()
})

test('a list is imported from an address: stored models are kept, or replaced when that is chosen', async ({
  page,
}) => {
  const t = words('zh_CN')
  const list = ['one', 'two', 'three'].map(model => ({ model, model_info: described }))
  const source = createServer(keepAlive, (_, response) =>
    response.end(JSON.stringify({ data: [...list, { model: 'broken', model_info: { tags: 1 } }] })),
  )
  await new Promise<void>(resolve => source.listen(0, '127.0.0.1', resolve))
  const { port } = source.address() as AddressInfo
  const hub = await openHub()
  const stored = () => hub.admin.api<{ model: string; name: string }[]>('GET', '/api/model_info/')
  await hub.admin.api('POST', '/api/model_info/', { model: 'two', name: 'Second' })
  await dress(page, 'zh_CN')
  await signIn(page, hub)
  await page.goto(`${hub.gateway.url}/panel/model_info`)
  await page.getByRole('button', { name: t('model-info.import.open') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('model-info.import.address')).fill(`http://127.0.0.1:${port}/`)
  await dialog.getByRole('button', { name: t('model-info.import.fetch') }).click()
  await expect(dialog.getByText(t('model-info.import.conflicts', { count: '1' }))).toBeVisible()
  await dialog.getByText(t('model-info.import.skipped', { count: '1' })).click()
  await expect(dialog.getByText(/^broken: /)).toBeVisible()
  await isAccessible(page)
  await dialog.getByRole('button', { name: t('model-info.import.start', { count: '2' }) }).click()
  const result = (values: Record<string, string>) =>
    dialog.getByText(
      t('model-info.import.result', {
        ...{ created: '0', updated: '0', skipped: '0', failed: '0' },
        ...values,
      }),
    )
  await expect(result({ created: '2', skipped: '1' })).toBeVisible()
  const name = async (model: string) => (await stored()).find(each => each.model === model)?.name
  expect([await name('one'), await name('two')]).toEqual([described.name, 'Second'])

  // A repeat has nothing to do until stored entries are to be replaced.
  const start = (count: string) =>
    dialog.getByRole('button', { name: t('model-info.import.start', { count }) })
  await expect(start('0')).toBeDisabled()
  await dialog.getByRole('radio', { name: t('model-info.import.modes.overwrite') }).check()
  await start('3').click()
  await expect(result({ updated: '3' })).toBeVisible()
  expect(await name('two')).toBe(described.name)
  expect(await stored()).toHaveLength(3)
  await isAccessible(page)
  await hub.close()
  source.close()
})
