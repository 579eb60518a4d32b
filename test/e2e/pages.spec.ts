import type { BrowserContext, Page } from '@playwright/test'
import { expect, type Hub, signIn, test } from './hub.ts'
import { type Look, looksOf } from './looks.ts'
import { dress, looksRight } from './page-checks.ts'
import { shiftMax } from './page-weight.ts'
import { consolePaths, publicPaths } from './paths.ts'
import { isWorded } from './texts.ts'

/** The projects are the four runs of `looksOf`: the look of a page comes from there. */
const runs = ['light wide', 'dark phone', 'light phone', 'dark wide']

/** The page and the tab of the browser have the same title. Public pages may show the name of the site instead. */
const hasOneTitle = async (page: Page, isConsole: boolean) => {
  const titles = await page.locator('h1').filter({ visible: true }).allInnerTexts()
  expect.soft(titles, 'one title').toHaveLength(1)
  if (isConsole) expect.soft(await page.title(), 'title of the tab').toContain(titles[0])
}

const isLoaded = async (page: Page) => {
  await expect(page.locator('main h1, h1, [role=heading]').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}

/** A busy machine draws frames late, so that what belongs to one frame moves in two: then one more load decides. */
const isStill = async (page: Page) => {
  if ((await page.evaluate<number>('shifts')) <= shiftMax) return
  await page.reload()
  await isLoaded(page)
}

const seePage = async (context: BrowserContext, { gateway }: Hub, path: string, look: Look) => {
  const page = await context.newPage()
  await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: look.theme })
  await dress(page, look.language)
  const failures: string[] = []
  page.on('pageerror', error => failures.push(error.message))
  page.on('console', message => {
    // The server answers 404 to an unknown path, which Chromium reports.
    const isExpected = path === '/nowhere' && message.text().includes('404')
    if (message.type() === 'error' && !isExpected) failures.push(message.text())
  })
  await page.goto(`${gateway.url}${path}`)
  await isLoaded(page)
  await isStill(page)
  await looksRight(page, shiftMax)
  await isWorded(page, look.language)
  await hasOneTitle(page, path.startsWith('/panel'))
  expect.soft(failures, 'no error').toEqual([])
  await page.close()
}

test('every page is accessible, worded in one language and stands still', async ({
  browser,
  seeded,
}, { project }) => {
  test.setTimeout(480_000)
  const context = await browser.newContext()
  for (const [index, path] of [...publicPaths, ...consolePaths].entries()) {
    if (path === consolePaths[0]) await signIn(await context.newPage(), seeded)
    for (const look of looksOf(runs.indexOf(project.name), index))
      await test.step(`${path} ${Object.values(look).join(' ')}`, () =>
        seePage(context, seeded, path, look))
  }
  await context.close()
})
