import type { Page } from '@playwright/test'
import { dress, expect, looksRight, signIn, test } from './hub.ts'
import { consolePaths, publicPaths } from './paths.ts'
import type { Language } from './words.ts'

/**
 * Every pair of language, theme and width is seen in four runs instead of eight; E2E_LANGUAGES=all sees all eight.
 */
const languagesOf = (project: string): Language[] => {
  if (process.env.E2E_LANGUAGES === 'all') return ['zh_CN', 'en_US']
  return ['light wide', 'dark phone'].includes(project) ? ['en_US'] : ['zh_CN']
}

/** The page and the tab of the browser have the same title. Public pages may show the name of the site instead. */
const hasOneTitle = async (page: Page, isConsole: boolean) => {
  const titles = await page.locator('h1').filter({ visible: true }).allInnerTexts()
  expect.soft(titles, 'one title').toHaveLength(1)
  if (isConsole) expect.soft(await page.title(), 'title of the tab').toContain(titles[0])
}

test('every page is accessible and stands still', async ({ browser, seeded }, { project }) => {
  test.setTimeout(480_000)
  for (const language of languagesOf(project.name))
    await test.step(language, async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await dress(page, language)
      const failures: string[] = []
      page.on('pageerror', error => failures.push(error.message))
      for (const path of [...publicPaths, ...consolePaths])
        await test.step(path, async () => {
          if (path === consolePaths[0]) await signIn(page, seeded)
          await page.goto(`${seeded.gateway.url}${path}`)
          await expect(page.locator('main h1, h1, [role=heading]').first()).toBeVisible()
          await looksRight(page)
          await hasOneTitle(page, path.startsWith('/panel'))
        })
      expect(failures).toEqual([])
      await context.close()
    })
})
