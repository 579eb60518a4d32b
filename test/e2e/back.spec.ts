import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'

/** Records and dialogs with an address of their own, in `?dialog=` or `?open=`: a reload keeps it, and Back closes it. */
const addresses = [
  ...['token?dialog=create', 'token?dialog=edit:1', 'token?open=1', 'token?dialog=client:1'],
  ...['channel?open=1', 'channel?dialog=tags', 'channel?dialog=import', 'channel?dialog=keys:1'],
  ...['channel?dialog=history:1', 'user?open=1', 'user?dialog=create', 'user?dialog=sessions:2'],
  ...['user?dialog=edit:2', 'user?dialog=quota:2', 'user_group?dialog=create'],
  ...['user_group?dialog=edit:1', 'user_token?dialog=edit:1', 'user_token?dialog=move:1'],
  ...['pricing?dialog=create', 'pricing?dialog=edit:gpt-4.1', 'pricing?dialog=sync'],
  ...['pricing?dialog=bulk#multiple', 'pricing?dialog=scheduled#scheduled'],
  ...[
    'virtual_model?dialog=create',
    'virtual_model?dialog=edit:1',
    'virtual_model?dialog=preview:1',
  ],
  ...['virtual_model?dialog=history:1', 'redemption?dialog=create', 'redemption?dialog=edit:1'],
  ...['redemption?open=1', 'payment?dialog=create', 'payment?dialog=edit:1', 'payment?open=1'],
  ...['notification?dialog=create', 'notification?dialog=edit:1', 'model_ownedby?dialog=create'],
  ...['model_ownedby?dialog=edit:1', 'model_info?dialog=create', 'model_info?dialog=edit:1'],
  ...['model_info?dialog=import', 'oauth_provider?dialog=create', 'oauth_provider?dialog=edit:1'],
  ...['oauth_provider?open=1', 'telegram?dialog=create', 'telegram?dialog=edit:1'],
  ...['setting?dialog=test-mail', 'setting?dialog=mail-preview', 'task?dialog=callback-secret'],
  ...['log?dialog=delete', 'invoice?dialog=generate', 'invoice?dialog=update'],
  'model_price?dialog=model:gpt-4.1',
]

test('each record and dialog opens by its address, survives a reload and is closed from there', async ({
  page,
  seeded,
}) => {
  await dress(page, 'en_US')
  await signIn(page, seeded)
  const dialog = page.locator('[role=dialog]').first()
  const calls = await seeded.admin.api<{ data: { id: number }[] }>('GET', '/api/log/?size=1')
  for (const address of [...addresses, `log?open=${calls.data[0]?.id}`])
    await test.step(address, async () => {
      await page.goto(`${seeded.gateway.url}/panel/${address}`)
      await expect.soft(dialog, address).toBeVisible({ timeout: 20_000 })
      await page.reload()
      await expect.soft(dialog, `${address} after a reload`).toBeVisible({ timeout: 20_000 })
      await page.keyboard.press('Escape')
      await expect.soft(page.locator('[role=dialog]'), `${address} closed`).toHaveCount(0)
      expect.soft(new URL(page.url()).search, address).toBe('')
    })
})

test('Back closes what the last click opened, and a key that is shown once stays after its form closes', async ({
  page,
  seeded,
}) => {
  await dress(page, 'en_US')
  await signIn(page, seeded)
  const { url } = seeded.gateway
  await page.goto(`${url}/panel/dashboard`)
  await page.goto(`${url}/panel/token`)
  const dialog = page.locator('[role=dialog]:visible')
  const isClosedByBack = async () => {
    await expect(dialog).toHaveCount(1)
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    expect(page.url()).toBe(`${url}/panel/token`)
  }
  await page.getByRole('button', { name: 'Create token' }).first().click()
  await isClosedByBack()
  await page.locator('main tbody tr').getByText('initial', { exact: true }).first().click()
  await isClosedByBack()
  await page.keyboard.press('?')
  await isClosedByBack()
  await page.getByRole('button', { name: 'My account' }).first().click()
  await isClosedByBack()
  await page.getByRole('button', { name: 'Create token' }).first().click()
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.locator('button[type=submit]').click()
  await expect(page.getByText('Token “Laptop” created')).toBeVisible()
  await isClosedByBack()
  await page.goBack()
  await expect(page).toHaveURL(`${url}/panel/dashboard`)
})
