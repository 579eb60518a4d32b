import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { root } from '../../harness/paths.ts'
import { openDemoSite } from '../demo-site.ts'
import { dress } from '../page-checks.ts'
import { words } from '../words.ts'

/** The pictures of the documents, from the demo: the same pages, sizes and themes every time. */
const folder = join(root, 'docs/images')
const t = words('en_US')

const openBreakdown = async (page: Page) => {
  await page.locator('main tbody tr').nth(1).click()
  await page.getByText(t('logs.steps.rounding')).scrollIntoViewIfNeeded()
}
const talk = async (page: Page) => {
  await page.getByLabel(t('playground.message')).fill('Say something.')
  await page.keyboard.press('Enter')
  await page.locator('article').getByText('$0.').first().waitFor()
}

type Picture = {
  name: string
  path: string
  theme: 'light' | 'dark'
  width: 1440 | 390
  act?: (page: Page) => Promise<unknown>
}
const pictures: Picture[] = [
  { name: 'dashboard-light', path: 'dashboard?period=month', theme: 'light', width: 1440 },
  { name: 'dashboard-dark', path: 'dashboard?period=month', theme: 'dark', width: 1440 },
  { name: 'analytics', path: 'analytics?period=month&by=model', theme: 'light', width: 1440 },
  { name: 'channels', path: 'channel', theme: 'light', width: 1440 },
  { name: 'log-breakdown', path: 'log', theme: 'light', width: 1440, act: openBreakdown },
  { name: 'playground', path: 'playground', theme: 'dark', width: 1440, act: talk },
  { name: 'phone', path: 'dashboard?period=month', theme: 'dark', width: 390 },
]

mkdirSync(folder, { recursive: true })
const site = await openDemoSite({ isFresh: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--font-render-hinting=none'],
})
try {
  for (const { name, path, theme, width, act } of pictures) {
    const page = await browser.newPage({
      colorScheme: theme,
      viewport: { width, height: width === 1440 ? 900 : 844 },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    await dress(page, 'en_US')
    // The typeface is there from the second visit.
    await page.addInitScript("localStorage.setItem('font', '/fonts/inter-4.1-latin.woff2')")
    await site.signIn(page)
    // The announcement was read before.
    const { data: notice } = await (await page.request.get(`${site.url}/api/notice`)).json()
    await page.addInitScript(`localStorage.setItem('notice', ${JSON.stringify(notice)})`)
    await page.goto(`${site.url}/panel/${path}`)
    await page.waitForLoadState('networkidle')
    // The chart comes in a chunk of its own; on a phone it is below the picture.
    if (width === 1440 && /^(dashboard|analytics)/.test(path))
      await page.locator('main svg rect:not([height="0"])').first().waitFor()
    await act?.(page)
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/images/${name}.png`)
    await page.close()
  }
} finally {
  await browser.close()
  await site.close()
}
