import type { Browser, BrowserContextOptions } from '@playwright/test'
import type { Hub } from './hub.ts'
import { dress } from './page-checks.ts'

/**
 * The most that a first visit to a page may transfer, in bytes, response headers included. The settings come with the help of
 * each of them.
 */
export const bytesMax = (path: string) => {
  // The forms of settings and channels bring the schemas of their fields.
  if (/^\/panel\/(setting|channel\/)/.test(path)) return 365_000
  // Each row has the curve of its balance.
  if (path === '/panel/channel') return 355_000
  return path === '/login' ? 250_000 : 350_000
}
/** The most scripts that a first visit may load. */
export const scriptsMax = 18
/** The largest sum of layout shifts that no input caused. */
export const shiftMax = 0.05

export const widths = [390, 768, 1440] as const

export type PageWeight = {
  path: string
  bytes: number
  scriptBytes: number
  requests: number
  scripts: number
  shift: number
  /** Messages of level error in the browser's console, and violations of the content security policy. */
  errors: string[]
}

/** Opens a page with an empty cache and adds up what Chromium received for it, response headers included. */
export const weighPage = async (
  browser: Browser,
  { gateway }: Hub,
  path: string,
  options: BrowserContextOptions,
): Promise<PageWeight> => {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    await dress(page, 'en_US')
    const session = await context.newCDPSession(page)
    const types = new Map<string, string>()
    const weight: PageWeight = {
      path,
      bytes: 0,
      scriptBytes: 0,
      requests: 0,
      scripts: 0,
      shift: 0,
      errors: [],
    }
    session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const isScript = types.get(requestId) === 'Script'
      weight.bytes += encodedDataLength
      weight.requests += 1
      weight.scriptBytes += isScript ? encodedDataLength : 0
      weight.scripts += isScript ? 1 : 0
    })
    page.on('console', message => {
      if (message.type() === 'error') weight.errors.push(message.text())
    })
    await page.addInitScript({
      content: `window.violations = []
        addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective))`,
    })
    await session.send('Network.enable')
    await page.goto(`${gateway.url}${path}`)
    await page.locator('main h1').first().waitFor()
    await page.waitForLoadState('networkidle')
    for (const each of await page.evaluate<string[]>('window.violations'))
      weight.errors.push(`The policy of the site forbids ${each}.`)
    weight.shift = await page.evaluate<number>('window.shifts')
    return weight
  } finally {
    await context.close()
  }
}
