import { readFile } from 'node:fs/promises'
import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { type Language, words } from './words.ts'

for (const language of ['en_US', 'zh_CN'] satisfies Language[])
  test(`chosen channels get a model, are exported, deleted and imported again: ${language}`, async ({
    page,
    hub,
  }) => {
    const t = words(language)
    const { admin, gateway, upstream } = hub
    for (const name of ['West', 'North', 'South'])
      await admin.addChannel(upstream.url, { name, models: 'gpt-4o' })
    await dress(page, language)
    await signIn(page, hub)
    await page.goto(`${gateway.url}/panel/channel`)
    const choose = async (...names: string[]) => {
      for (const name of names)
        await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').first().check()
    }
    const openMenu = () => page.getByRole('button', { name: t('channels.batch.edit') }).click()

    await choose('West', 'South')
    await openMenu()
    await page.getByRole('menuitem', { name: t('channels.batch.models') }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('combobox', { name: t('channels.fields.models') }).fill('gpt-5,')
    await page.keyboard.press('Tab')
    await isAccessible(page)
    await form.getByRole('button', { name: t('common.save') }).click()
    await expect(page.getByText(t('channels.batch.changed', { count: '2' }))).toBeVisible()

    await choose('West', 'South')
    await openMenu()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: t('channels.transfer.exportChosen') }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(JSON.parse(file).channels).toMatchObject([
      { name: 'West', models: 'gpt-4o,gpt-5' },
      { name: 'South', models: 'gpt-4o,gpt-5' },
    ])
    expect(file).not.toContain('sk-')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: t('channels.tools') }).click()
    await page.getByRole('menuitem', { name: t('channels.transfer.import') }).click()
    const dialog = page.getByRole('dialog')
    const give = (text: string) =>
      dialog.locator('input[type=file]').setInputFiles({
        name: 'channels.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
    await give(file.replace('"weight":1', '"weight":0'))
    await expect(dialog.getByText(t('channels.transfer.line', { line: '2' }))).toBeVisible()
    await isAccessible(page)
    await give(file)
    await dialog
      .getByRole('button', { name: t('channels.transfer.create', { count: '2' }) })
      .click()
    await expect(page.getByText(t('channels.transfer.imported', { count: '2' }))).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'West' })).toHaveCount(2)
  })

test('the page of a channel has its figures and fits a phone', async ({ page, seeded }) => {
  const { gateway, admin } = seeded
  const list = await admin.api<{ data: { id: number }[] }>('GET', '/api/channel/?name=Main')
  await dress(page, 'en_US')
  await signIn(page, seeded)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${gateway.url}/panel/channel/${list.data[0]!.id}?period=day`)
    await expect(page.getByRole('heading', { name: 'Failures by class' })).toBeVisible()
    await isAccessible(page)
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - window.innerWidth',
    )
    expect(overflow).toBeLessThanOrEqual(0)
  }
})

test('tabs of a channel are in its address, and its settings keep typed values through a reload and a new sign-in', async ({
  page,
  hub,
}) => {
  const t = words('en_US')
  const { admin, gateway, upstream } = hub
  await admin.addChannel(upstream.url, { name: 'West', models: 'gpt-4o,house-model' })
  const list = await admin.api<{ data: { id: number }[] }>('GET', '/api/channel/?name=West')
  const { id } = list.data[0]!
  await dress(page, 'en_US')
  await signIn(page, hub)
  await page.goto(`${gateway.url}/panel/channel/${id}`)
  const tab = (name: string) => page.getByRole('tab', { name: t(`channel.tabs.${name}`) })

  await tab('overview').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/tab=models/)
  await page.reload()
  await expect(tab('models')).toHaveAttribute('aria-selected', 'true')
  const row = page.getByRole('row', { name: 'house-model' })
  await expect(row.getByText(t('channel.models.unpriced'))).toBeVisible()
  await row.getByRole('button', { name: t('channels.testOf', { name: 'house-model' }) }).click()
  await expect(row.getByText(/\d ms|\d s/)).toBeVisible()
  await row
    .getByRole('button', { name: t('channel.models.remove', { model: 'house-model' }) })
    .click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: t('channel.models.undo') }).click()
  await expect(row).toHaveCount(1)

  await tab('settings').click()
  const name = page.getByLabel(t('channels.fields.name'), { exact: false }).first()
  await name.fill('East')
  await page.reload()
  await expect(page.getByText(t('channels.draft.restored'))).toBeVisible()
  await expect(name).toHaveValue('East')
  await page.context().clearCookies()
  await page.getByRole('button', { name: t('channels.save') }).click()
  const again = page.getByRole('dialog', { name: t('sign-in.again.title') })
  await again.getByLabel(t('sign-in.fields.username')).fill('root')
  await again
    .getByRole('textbox', { name: t('sign-in.fields.password') })
    .fill(gateway.rootPassword)
  await again.getByRole('button', { name: t('menu.login') }).click()
  await expect(page.getByRole('heading', { name: 'East' })).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('East')
  await expect(page.getByText(t('channels.draft.restored'))).toHaveCount(0)
})
