import type { Page } from '@playwright/test'
import { expect, signIn, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { consolePaths } from './paths.ts'

/** Returns the choices that a person made on a page. Live figures and the rows of tables are no choices. */
const viewScript = `(() => {
  const shown = selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility())
  const texts = selector => shown(selector).map(each => each.getAttribute('aria-label') ?? each.innerText)
  return JSON.stringify({
    address: location.pathname + location.search + location.hash,
    title: texts('main h1'),
    tabs: texts('main [role=tab][aria-selected=true]'),
    toggles: texts('main .MuiToggleButton-root[aria-pressed=true]'),
    fields: shown('main input:not([type=file])')
      .filter(each => !each.closest('[role=row], tr, li'))
      .map(each => each.value),
    isComplete: !document.querySelector('main .MuiSkeleton-root'),
  })
})()`

const isLoaded = async (page: Page) => {
  await expect(page.locator('main h1').filter({ visible: true })).toHaveCount(1)
  await page.waitForLoadState('networkidle')
}

/** Resolves with the view once it is complete and stays as it is for longer than a search waits for its next key. */
const settled = async (page: Page) => {
  let last = ''
  let same = 0
  await expect
    .poll(
      async () => {
        const view = await page.evaluate<string>(viewScript)
        same = view === last && view.includes('"isComplete":true') ? same + 1 : 0
        last = view
        return same
      },
      { intervals: [200] },
    )
    .toBeGreaterThanOrEqual(3)
  return JSON.parse(last) as object
}

/** Chooses something else in a page with views: its last tab, its last toggle, and a search. False: it has no choice. */
const choose = async (page: Page): Promise<boolean> => {
  let hasChoice = false
  for (const choice of [
    '[role=tab][aria-selected=false]',
    '.MuiToggleButton-root[aria-pressed=false]',
  ]) {
    const last = page.locator(`main ${choice}:visible:enabled`).last()
    if (!(await last.count())) continue
    await last.click()
    await settled(page)
    hasChoice = true
  }
  const search = page.locator('main [type=search]:visible').first()
  if (!(await search.count())) return hasChoice
  await search.fill('a')
  return true
}

test('every page shows the same view after a reload', async ({ page, seeded }) => {
  test.setTimeout(480_000)
  await dress(page, 'en_US')
  await signIn(page, seeded)
  for (const path of consolePaths)
    await test.step(path, async () => {
      await page.goto(`${seeded.gateway.url}${path}`)
      await isLoaded(page)
      await settled(page)
      const hasChoice = await choose(page)
      if (!hasChoice && !/[?#]/.test(path)) return
      const before = await settled(page)
      await page.reload()
      await isLoaded(page)
      expect.soft(await settled(page), path).toEqual(before)
    })
})
