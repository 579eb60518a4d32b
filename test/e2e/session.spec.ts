import { expect, signIn, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('when the session ends, the form stays, and is saved once after signing in again', async ({
  page,
  seeded,
}) => {
  const { gateway, admin } = seeded
  await dress(page, 'en_US')
  await signIn(page, seeded)
  const writes: number[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (response.request().method() === 'POST' && pathname === '/api/user_group/')
      writes.push(response.status())
  })
  await page.goto(`${gateway.url}/panel/user_group`)
  await page.getByRole('button', { name: t('groups.create') }).click()
  const form = page.getByRole('dialog', { name: t('groups.create') })
  await form.getByLabel(t('groups.fields.symbol')).fill('late')
  await form.getByLabel(t('groups.fields.name')).fill('Late group')
  await page.context().clearCookies()
  await form.locator('button[type=submit]').click()

  const again = page.getByRole('dialog', { name: t('sign-in.again.title') })
  await expect(again).toBeVisible()
  await looksRight(page)
  await again.getByLabel(t('sign-in.fields.username')).fill('root')
  await again
    .getByRole('textbox', { name: t('sign-in.fields.password') })
    .fill(gateway.rootPassword)
  await again.getByRole('button', { name: t('menu.login') }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Late group').first()).toBeVisible()
  expect(writes).toEqual([401, 200])
  const { data } = await admin.api<{ data: { symbol: string }[] }>(
    'GET',
    '/api/user_group/?size=100',
  )
  expect(data.filter(each => each.symbol === 'late')).toHaveLength(1)

  await page.getByRole('button', { name: t('groups.create') }).click()
  await form.getByLabel(t('groups.fields.name')).fill('Never saved')
  await page.context().clearCookies()
  await form.getByLabel(t('groups.fields.symbol')).fill('never')
  await form.locator('button[type=submit]').click()
  await again.getByRole('button', { name: t('common.cancel') }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
