import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import type { Language } from './words.ts'

/** Runs in the page, before it: the language, and an ear for everything that moves by itself. */
const dressing = (language: Language) => `
  localStorage.setItem('appLanguage', '${language}')
  window.shifts = 0
  window.shifted = []
  const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  const moveOf = ({ node, previousRect, currentRect }) =>
    '"' + node?.textContent?.slice(0, 40) + '" from ' + placeOf(previousRect) + ' to ' + placeOf(currentRect)
  new PerformanceObserver(list => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      window.shifts += value
      window.shifted.push(value.toFixed(3) + ': ' + sources.map(moveOf).join('; '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
`
export const dress = (page: Page, language: Language) =>
  page.addInitScript({ content: dressing(language) })

/** Counts presses of the pointer in the page, from its next load on. */
export const countClicks = async (page: Page): Promise<() => number> => {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  await page.addInitScript({
    content: "addEventListener('pointerdown', () => countClick(), { capture: true })",
  })
  return () => clicks
}

/** Runs axe on the open page. Soft: one finding must not hide the others. */
export const isAccessible = async (
  page: Page,
  what = page.url(),
  without: string[] = [],
): Promise<void> => {
  // Our pages have no frames: the plain way to run axe opens no page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await axe.disableRules(without).analyze()
  const findings = violations.map(({ id, nodes }) => {
    const places = nodes.map(node => `${node.target.join(' ')} ${node.html.slice(0, 120)}`)
    return `${id}: ${places.join(', ')}`
  })
  expect.soft(findings, what).toEqual([])
}

/** Earlier layout shifts may be effects of the user's own input; later ones are findings. */
export const standsStillFromHere = (page: Page) => page.evaluate('window.shifts = 0')

/** Assertions that hold on every page. */
export const looksRight = async (page: Page, shiftMax = 0.1): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await isAccessible(page)
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect.soft(overflow, 'no horizontal scroll').toBeLessThanOrEqual(0)
  const [shifts, shifted] = await page.evaluate<[number, string[]]>('[shifts, shifted]')
  expect.soft(shifts, `no layout shift\n${shifted.join('\n')}`).toBeLessThanOrEqual(shiftMax)
}
