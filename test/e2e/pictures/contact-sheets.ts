import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { mapConcurrently } from '../../harness/client.ts'
import { root } from '../../harness/paths.ts'
import { type DemoRole, type DemoSite, openDemoSite } from '../demo-site.ts'
import { type Look, looks } from '../looks.ts'
import { dress } from '../page-checks.ts'
import { consolePaths, customerPaths, publicPaths } from '../paths.ts'

/**
 * Every page of the demo in each of the twelve looks, many on one picture, for a person to look at after a change of the
 * layout. Arguments choose looks, and who is signed in: `en_US-dark-768 ja_JP-light-1440 customer`.
 */
const folder = join(root, 'node_modules/.cache/contact-sheets')

/** Columns and rows of a sheet, and the width of a picture on it. */
const gridOf = (width: Look['width']) =>
  width === 390
    ? { columns: 9, rows: 2, shown: 210 }
    : {
        columns: width === 768 ? 6 : 4,
        rows: width === 768 ? 3 : 4,
        shown: width === 768 ? 320 : 480,
      }

const nameOf = ({ language, theme, width }: Look) => `${language}-${theme}-${width}`

const roles: readonly DemoRole[] = ['root', 'administrator', 'customer']
const isRole = (word: string): word is DemoRole => roles.some(role => role === word)
const role = process.argv.slice(2).find(isRole) ?? 'root'
const chosen = process.argv.slice(2).filter(word => !isRole(word))
const unknown = chosen.filter(name => !looks.some(look => nameOf(look) === name))
if (unknown.length > 0) {
  console.error(
    `There is no look ${unknown.join(', ')}; there are ${looks.map(nameOf).join(', ')}.`,
  )
  process.exit(2)
}
const shownLooks = looks.filter(look => chosen.length === 0 || chosen.includes(nameOf(look)))

const heightOf = (width: number) => (width === 1440 ? 900 : 844)

const shownPaths = role === 'customer' ? customerPaths : [...publicPaths, ...consolePaths]

/** The visible part of each page. Visitors see the public ones. */
const photograph = async (browser: Browser, site: DemoSite, look: Look): Promise<Buffer[]> => {
  const pictures: Buffer[] = []
  for (const path of shownPaths) {
    const page = await browser.newPage({
      colorScheme: look.theme,
      viewport: { width: look.width, height: heightOf(look.width) },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    await dress(page, look.language)
    if (!publicPaths.includes(path)) await site.signIn(page, role)
    await page.goto(`${site.url}${path}`)
    await page.waitForLoadState('networkidle')
    // Parts below the visible one keep their skeletons.
    const skeleton = page.locator('main .MuiSkeleton-root').first()
    await skeleton.waitFor({ state: 'detached', timeout: 2_000 }).catch(() => {})
    pictures.push(await page.screenshot({ type: 'jpeg', quality: 80, timeout: 300_000 }))
    await page.close()
  }
  return pictures
}

const writeSheets = async (browser: Browser, look: Look, pictures: readonly Buffer[]) => {
  const { columns, rows, shown } = gridOf(look.width)
  const size = columns * rows
  for (let at = 0; at < pictures.length; at += size) {
    const images = pictures
      .slice(at, at + size)
      .map(each => `<img width="${shown}" src="data:image/jpeg;base64,${each.toString('base64')}">`)
    const page = await browser.newPage({
      viewport: { width: columns * (shown + 6) + 6, height: 200 },
    })
    await page.setContent(
      `<body style="margin:6px 0 0 6px;background:#888;font-size:0">${images.join('')}<style>img{margin:0 6px 6px 0}</style>`,
    )
    const name = `${role}-${nameOf(look)}-${at / size + 1}.png`
    await page.screenshot({ path: join(folder, name), fullPage: true })
    console.log(name)
    await page.close()
  }
}

mkdirSync(folder, { recursive: true })
const site = await openDemoSite()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--font-render-hinting=none'],
})
try {
  await mapConcurrently(shownLooks.length, 2, async at => {
    const look = shownLooks[at]!
    await writeSheets(browser, look, await photograph(browser, site, look))
  })
  console.log(folder)
} finally {
  await browser.close()
  await site.close()
}
