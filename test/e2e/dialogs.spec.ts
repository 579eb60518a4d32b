import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { scenes } from './scenes.ts'
import { type Language, words } from './words.ts'

test('everything that opens is accessible and stays within the screen', async ({ page, seeded }, {
  project,
}) => {
  test.setTimeout(480_000)
  const language: Language = project.name.startsWith('light') ? 'en_US' : 'zh_CN'
  const t = words(language)
  await dress(page, language)
  await signIn(page, seeded)
  const failures: string[] = []
  page.on('pageerror', error => failures.push(error.message))
  for (const [what, path, open] of scenes)
    await test.step(what, async () => {
      await page.goto(`${seeded.gateway.url}/panel/${path}`)
      await expect(page.locator('main h1').first()).toBeVisible()
      await open(page, t)
      await page.waitForTimeout(150)
      // A menu belongs to its button, not to a landmark; the landmarks are the pages' own test.
      await isAccessible(page, what, ['region'])
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect.soft(overflow, `${what}: no horizontal scroll`).toBeLessThanOrEqual(0)
    })
  expect(failures).toEqual([])
})
