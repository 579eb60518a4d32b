import { succeed } from '../../apps/server/test/tasks/midjourney-proxy.ts'
import { expect, makeImage, signIn, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('an image goes on while the page is open, is shown in it, and leads to its charge and its raw data', async ({
  page,
  seeded,
}) => {
  const { gateway, midjourney } = seeded
  await dress(page, 'en_US')
  await signIn(page, seeded)
  await page.goto(`${gateway.url}/panel/dashboard`)
  midjourney.image = await page.screenshot()
  await makeImage(gateway, 'A cat in the rain')
  const task = [...midjourney.tasks.values()].at(-1)!
  await page.goto(`${gateway.url}/panel/midjourney`)
  const row = page.locator('main tbody tr').first()
  await expect(row).toContainText(t('midjourney.statuses.SUBMITTED'))
  Object.assign(task, { status: 'IN_PROGRESS', progress: '42%' })
  await expect(row).toContainText('42%', { timeout: 60_000 })
  succeed(midjourney, task)
  await expect(row).toContainText(t('midjourney.statuses.SUCCESS'), { timeout: 60_000 })

  await row.click()
  const image = page.getByAltText(t('midjourney.outputs.image'))
  const width = () => image.evaluate(element => Reflect.get(element, 'naturalWidth'))
  await expect.poll(width).toBeGreaterThan(100)
  await looksRight(page)
  await page.getByRole('link', { name: t('midjourney.raw') }).click()
  await expect(page).toHaveURL(/\/panel\/task\?task_id=\d+&open=\d+/)
  await expect(page.getByRole('dialog')).toContainText('Midjourney')
})
