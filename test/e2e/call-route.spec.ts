import { ask } from '../harness/client.ts'
import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { type Language, words } from './words.ts'

for (const language of ['en_US', 'zh_CN'] satisfies Language[])
  test(`two clicks from the log page to the channels that a failed call tried, and why not the others: ${language}`, async ({
    page,
    hub,
  }) => {
    const t = words(language)
    const { admin, gateway, upstream } = hub
    const add = (at: string, name: string, more: object) =>
      admin.addChannel(`${upstream.url}/${at}`, { name, models: 'gpt-4o', ...more })
    await add('a', 'West', { priority: 9 })
    await add('b', 'North', { priority: 5 })
    await add('c', 'South', { priority: 5, only_chat: true })
    await add('d', 'Spare', { priority: 0 })
    await admin.setPrice('gpt-4o', 'tokens', 1)
    await admin.setOption('RetryTimes', '1')
    upstream.behave('a', 'status=500;keywords=out of memory')
    upstream.behave('b', 'status=503')
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
    await ask({ url: gateway.url, key: gateway.rootKey, model: 'gpt-4o', body: { tools } })
    const errors = () =>
      admin
        .api<{ total_count: number }>('GET', '/api/log/?log_type=5')
        .then(each => each.total_count)
    await expect.poll(errors).toBe(1)
    await dress(page, language)
    await signIn(page, hub)
    await page.goto(`${gateway.url}/panel/log?log_type=5`)
    await page.getByText('upstream.failed').first().click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText('out of memory')).toBeVisible()
    await expect(drawer.getByText(t('logs.route.stop.retry_limit'), { exact: false })).toBeVisible()
    await expect(drawer.getByText(t('logs.route.reason.chat_only'))).toBeVisible()
    await expect(drawer.getByText(t('logs.route.reason.lower_priority'))).toBeVisible()
    await isAccessible(page)
  })
