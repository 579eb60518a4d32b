import type { Page } from '@playwright/test'
import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { consolePaths, publicPaths } from './paths.ts'
import { findInvisibleFocus } from './pictures/focus-rings.ts'
import { scenes } from './scenes.ts'
import { words } from './words.ts'

/**
 * With E2E_LOOKS=all the tab key visits every page and everything that opens. Without it, it visits those that together
 * have most kinds of elements.
 */
const isFull = process.env.E2E_LOOKS === 'all'
const sampledPaths = [
  '/login',
  '/panel/dashboard',
  '/panel/token',
  '/panel/log',
  '/panel/channel/new',
]
const sampledScenes = ['token form', 'channel record', 'command palette', 'filters', 'user record']

const allPaths = [...publicPaths, ...consolePaths]
const paths = isFull ? allPaths : sampledPaths
const opened = isFull ? scenes : scenes.filter(([what]) => sampledScenes.includes(what))

const startChecks = async (page: Page) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await dress(page, 'en_US')
  const blank = await page.context().newPage()
  await page.bringToFront()
  const known = new Set<string>()
  return async (what: string) => {
    const findings = await findInvisibleFocus(page, blank, known)
    expect.soft(findings, `${what}: the focus is not visible`).toEqual([])
  }
}

test('every element of a page shows that it has the focus, in both themes', async ({
  page,
  seeded,
}) => {
  const check = await startChecks(page)
  await signIn(page, seeded)
  for (const path of paths)
    await test.step(path, async () => {
      if (path === '/login') await page.context().clearCookies()
      if (path === consolePaths[0]) await signIn(page, seeded)
      await page.goto(`${seeded.gateway.url}${path}`)
      await expect(page.locator('main h1, h1, [role=heading]').first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      // Header and menu are the same on every page of the console.
      if (path.startsWith('/panel') && path !== consolePaths[0])
        await page.evaluate("document.getElementById('main').focus()")
      await check(path)
    })
})

test('every element of what opens shows that it has the focus, in both themes', async ({
  page,
  seeded,
}) => {
  const t = words('en_US')
  const check = await startChecks(page)
  await signIn(page, seeded)
  for (const [what, path, open] of opened)
    await test.step(what, async () => {
      await page.goto(`${seeded.gateway.url}/panel/${path}`)
      await expect(page.locator('main h1').first()).toBeVisible()
      await open(page, t)
      // The sections of the settings are on their page; everything else opens above it.
      await page.locator('.MuiModal-root, .MuiAccordion-root').first().waitFor()
      await page.waitForLoadState('networkidle')
      await check(what)
    })
})
