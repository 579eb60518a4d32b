import { readFile } from 'node:fs/promises'
import { ask } from '../harness/client.ts'
import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { words } from './words.ts'

test('from the list to the page of a failed call, its neighbours by arrow keys, and a period by the chart', async ({
  page,
  hub,
}) => {
  const t = words('en_US')
  const { admin, gateway, upstream } = hub
  await admin.addChannel(`${upstream.url}/a`, { name: 'West', models: 'gpt-4o' })
  await admin.setPrice('gpt-4o', 'tokens', 1)
  await admin.setOption('RetryCooldownSeconds', '0')
  const call = () => ask({ url: gateway.url, key: gateway.rootKey, model: 'gpt-4o' })
  await call()
  upstream.behave('a', 'status=500;keywords=out of memory')
  await call()
  const count = () =>
    admin
      .api<{ total_count: number }>('GET', '/api/log/?model_name=gpt-4o')
      .then(each => each.total_count)
  await expect.poll(count).toBe(2)
  await dress(page, 'en_US')
  await signIn(page, hub)
  await page.goto(`${gateway.url}/panel/log?model_name=gpt-4o`)

  await page.getByRole('cell', { name: t('logs.types.5') }).click()
  await page.getByRole('link', { name: t('logs.page') }).click()
  await expect(page.getByText(t('faults.upstream.failed')).first()).toBeVisible()
  await expect(page.getByText('out of memory')).toBeVisible()
  await expect(page.getByText('$ONE_HUB_KEY', { exact: false })).toBeVisible()
  await isAccessible(page)

  await expect(page.getByRole('button', { name: t('log.older') })).toBeEnabled()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(t('log.outcome.complete'))).toBeVisible()
  await expect(page.getByText(t('log.timeline.connect'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('log.newer') })).toBeEnabled()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('out of memory')).toBeVisible()

  await page.getByRole('link', { name: t('log.back') }).click()
  await expect(page).toHaveURL(/\/panel\/log\?model_name=gpt-4o$/)
  const box = (await page.locator('[data-brush]').boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 5, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 3, y, { steps: 4 })
  await page.mouse.up()
  // The calls are the newest, at the right end of the chart.
  await expect(page).toHaveURL(/start_timestamp=\d+&end_timestamp=\d+/)
  await expect(page.getByText('out of memory')).toHaveCount(0)
  await expect(page.getByRole('cell', { name: 'gpt-4o' })).toHaveCount(0)

  await page.goto(`${gateway.url}/panel/log?model_name=gpt-4o`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: t('logs.export') }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
})
