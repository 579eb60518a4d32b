import { expect, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('from another machine, over plain http: sign in, be warned, and copy a key out of its dialog', async ({
  page,
  hub,
}) => {
  await dress(page, 'en_US')
  const { gateway } = hub
  const at = (path: string) => page.goto(`http://hub.lan:${new URL(gateway.url).port}${path}`)
  await at('/login')
  expect(await page.evaluate('isSecureContext')).toBe(false)
  expect(await page.evaluate('typeof navigator.clipboard')).toBe('undefined')
  await page.getByLabel(t('sign-in.fields.username')).fill('root')
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(gateway.rootPassword)
  await page.getByRole('button', { name: t('menu.login') }).click()
  await expect(page).toHaveURL(/\/panel/)

  await at('/panel/token')
  await page
    .getByRole('button', { name: t('tokens.create') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('tokens.fields.name'), { exact: false }).first().fill('My token')
  await dialog.locator('button[type=submit]').click()
  await expect(page.getByText(t('tokens.made.title', { name: 'My token' }))).toBeVisible()
  const key = await dialog.getByText(/^sk-/).first().innerText()
  await dialog
    .getByRole('button', { name: t('common.copy') })
    .first()
    .click()
  await expect(page.getByText(t('common.copied', { what: '' }).trim()).first()).toBeVisible()
  await page.getByRole('button', { name: t('tokens.made.done') }).click()
  await expect(dialog).toBeHidden()

  const search = page.getByPlaceholder(t('tokens.fields.name')).first()
  await search.click()
  await page.keyboard.press('Control+V')
  await expect(search).toHaveValue(key)
})
