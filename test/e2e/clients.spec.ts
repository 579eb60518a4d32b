import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { words } from './words.ts'

test('settings of a client for a token, and a test call that succeeds, and one that says what to do', async ({
  page,
  hub,
}) => {
  const t = words('en_US')
  const { admin, gateway, upstream } = hub
  await admin.addChannel(`${upstream.url}/a`, { name: 'West', models: 'model-a' })
  await admin.setPrice('model-a', 'tokens', 1)
  await admin.setOption('RetryCooldownSeconds', '0')
  await admin.api('POST', '/api/token/', { name: 'laptop' })
  await dress(page, 'en_US')
  await signIn(page, hub)
  await page.goto(`${gateway.url}/panel/token`)
  await page.getByRole('button', { name: t('tokens.useInClientOf', { name: 'laptop' }) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('ANTHROPIC_AUTH_TOKEN=')).toContainText('sk-…')
  await dialog.getByRole('button', { name: t('clients.reveal') }).click()
  await expect(dialog.getByText('ANTHROPIC_AUTH_TOKEN=')).toContainText(/=sk-[\w-]{20,}/)
  await isAccessible(page)

  const choose = async (client: string) => {
    await dialog.getByRole('combobox', { name: t('clients.client') }).click()
    await page.getByRole('option', { name: client }).click()
  }
  const run = dialog.getByRole('button', { name: t('clients.test.run') })
  for (const client of ['Codex', 'Gemini CLI', 'OpenAI SDK (Python)', 'Claude Code']) {
    await choose(client)
    await run.click()
    await expect(dialog.getByText(t('clients.test.passed'))).toBeVisible()
    await expect(dialog.getByRole('link', { name: t('clients.test.log') })).toBeVisible()
  }
  expect(upstream.served.filter(each => each.model === 'model-a')).toHaveLength(4)

  upstream.behave('a', 'status=500;keywords=out of memory')
  await run.click()
  await expect(dialog.getByText(t('calls.errors.upstream'))).toBeVisible()
})
