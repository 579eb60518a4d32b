import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { type Language, words } from './words.ts'

for (const language of ['en_US', 'zh_CN'] satisfies Language[])
  test(`a virtual model is made, tried, changed, restored and deleted: ${language}`, async ({
    page,
    hub,
  }) => {
    const t = words(language)
    const { admin, gateway, upstream } = hub
    await admin.addChannel(`${upstream.url}/a`, { name: 'Main', models: 'small,large' })
    for (const model of ['small', 'large']) await admin.setPrice(model, 'tokens', 1)
    await dress(page, language)
    await signIn(page, hub)
    await page.goto(`${gateway.url}/panel/virtual_model`)
    await page
      .getByRole('button', { name: t('virtual-models.create') })
      .first()
      .click()
    const form = page.getByRole('dialog')
    await form.getByLabel(t('virtual-models.fields.name')).fill('smart')
    const card = (n: string) =>
      form.getByRole('group', { name: t('virtual-models.candidate.number', { n }) })
    const field = (name: string) => t(`virtual-models.candidate.${name}`)
    await card('1').getByLabel(field('model'), { exact: true }).fill('small')
    await card('1').getByLabel(field('max_tokens')).fill('1000')
    await form.getByRole('button', { name: t('virtual-models.candidate.add') }).click()
    await card('2').getByLabel(field('model'), { exact: true }).fill('large')
    await card('2').getByLabel(field('tier')).fill('2')
    await isAccessible(page)
    await form.locator('button[type=submit]').click()
    const row = page.getByRole('row').filter({ hasText: 'smart' })
    await expect(row).toContainText('large')

    await page
      .getByRole('button', { name: t('virtual-models.preview.title', { name: 'smart' }) })
      .click()
    const preview = page.getByRole('dialog')
    await preview.getByLabel(t('virtual-models.preview.tokens')).fill('1001')
    await expect(preview.getByText(t('virtual-models.reason.tokens'))).toBeVisible()
    await preview.getByLabel(t('virtual-models.preview.tokens')).fill('1000')
    await expect(preview.getByText(t('virtual-models.reason.tokens'))).toBeHidden()
    await preview.getByRole('button', { name: t('common.close') }).click()

    await row.getByRole('switch').or(row.getByRole('checkbox')).first().click()
    await page.getByRole('button', { name: t('virtual-models.disable.action') }).click()
    await page
      .getByRole('button', { name: t('virtual-models.history.title', { name: 'smart' }) })
      .click()
    const history = page.getByRole('dialog')
    await expect(
      history.getByText(t('virtual-models.history.version', { number: '2' })),
    ).toBeVisible()
    await isAccessible(page)
    await history.getByRole('button', { name: t('virtual-models.history.restore') }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('virtual-models.history.restore') })
      .click()
    await expect(
      history.getByText(t('virtual-models.history.version', { number: '3' })),
    ).toBeVisible()
    const { data } = await admin.api<{ data: { enable: boolean }[] }>('GET', '/api/virtual_model/')
    expect(data[0]?.enable).toBe(true)
  })
