import { ask } from '../harness/client.ts'
import { expect, signIn, test } from './hub.ts'
import { countClicks, dress } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('an operator sees an unhealthy channel at once, a failure’s reason and who spent most in one click', async ({
  page,
  hub,
}) => {
  const { admin, gateway, upstream } = hub
  await admin.addChannel(`${upstream.url}/a`, {
    name: 'West',
    models: 'gpt-4o,gpt-4.1',
    priority: 10,
  })
  await admin.addChannel(`${upstream.url}/b`, { name: 'East', models: 'gpt-4.1' })
  await admin.setPrice('gpt-4o', 'tokens', 1)
  await admin.setPrice('gpt-4.1', 'tokens', 1)
  await admin.setOption('RetryCooldownSeconds', '600')
  upstream.behave('a', 'status=500;keywords=out of memory')
  for (const model of ['gpt-4o', 'gpt-4.1', 'gpt-4.1'])
    await ask({ url: gateway.url, key: gateway.rootKey, model })
  const failed = () =>
    admin.api<{ total_count: number }>('GET', '/api/log/?log_type=5').then(each => each.total_count)
  await expect.poll(failed).toBe(1)
  await dress(page, 'en_US')
  await signIn(page, hub)
  const clicks = await countClicks(page)

  await page.goto(`${gateway.url}/panel`)
  const attention = page.getByRole('group', { name: t('operations.attention.title') })
  await expect(attention.getByRole('link', { name: 'West' })).toBeInViewport()
  await expect(attention.getByRole('link', { name: 'East' })).toHaveCount(0)
  expect(clicks()).toBe(0)

  await page.getByRole('button', { name: t('operations.periods.week') }).click()
  await expect(page).toHaveURL(/period=week/)
  const users = page.getByRole('heading', { name: t('operations.top.users') })
  await expect(users.locator('xpath=following::ol[1]').getByRole('link').first()).toHaveText('root')
  expect(clicks()).toBe(1)

  await page.goto(`${gateway.url}/panel`)
  // The card of errors has a link of this name too, and either may be drawn first.
  const live = page.getByRole('list', { name: t('operations.live.title') })
  await live.getByRole('link', { name: 'upstream.failed' }).first().click()
  await expect(page.getByText('out of memory').first()).toBeVisible()
  expect(clicks()).toBe(2)
})
