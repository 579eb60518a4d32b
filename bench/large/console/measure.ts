import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { administer } from '../../../test/harness/admin.ts'
import type { TestHub } from '../world.ts'
import { addListRows, largestPage } from './data.ts'
import { type MeasuredPage, measuredPages } from './pages.ts'
import { measureEmptyScroll, measureScroll, type ScrollResult } from './scroll.ts'

export type PageTime = {
  path: string
  by: MeasuredPage['by']
  rows: number
  medianMs: number
  slowestMs: number
}
export type ConsoleResult = { rounds: number; pages: PageTime[]; scrolls: ScrollResult[] }

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const waitMs = 30_000
/** Time for the rows after the first. A list that has fewer than a full page by then is not scrolled. */
const restMs = 5_000

/** Runs in the page before it: a promise of the time when the first element that `ready` matches is painted. */
const notePaint = (ready: string) => `
  window.painted = new Promise(resolve => {
    setTimeout(() => resolve(Infinity), ${waitMs})
    const channel = new MessageChannel()
    // A message that is sent in an animation frame arrives after its paint.
    channel.port1.onmessage = () => resolve(performance.now())
    const observer = new MutationObserver(() => {
      if (!document.querySelector(${JSON.stringify(ready)})) return
      observer.disconnect()
      requestAnimationFrame(() => channel.port2.postMessage(undefined))
    })
    const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-busy'] }
    observer.observe(document, watched)
  })
`

/** Opens a page in a new tab of a context whose cache is warm after the first. */
const openPage = async (context: BrowserContext, url: string, ready: string) => {
  const page = await context.newPage()
  await page.addInitScript("localStorage.setItem('appLanguage', 'en_US')")
  await page.addInitScript({ content: notePaint(ready) })
  await page.goto(url)
  return { page, paintedMs: await page.evaluate<number>('window.painted') }
}

/** Visits that fill the caches: Chromium stores compiled scripts at the second. */
const firstVisits = 2

/** A page that shows no data takes infinitely long, so that one such page ends no run of hours. */
const timePage = async (
  context: BrowserContext,
  url: string,
  { path, by, ready, rows: rowsOf }: MeasuredPage,
  rounds: number,
): Promise<PageTime> => {
  const took: number[] = []
  let rows = 0
  for (let visit = 0; visit < firstVisits + rounds; visit += 1) {
    const { page, paintedMs } = await openPage(context, `${url}${path}`, ready)
    if (visit >= firstVisits) took.push(paintedMs)
    rows = await page.locator(rowsOf).count()
    await page.close()
    if (paintedMs === Number.POSITIVE_INFINITY)
      return { path, by, rows, medianMs: paintedMs, slowestMs: paintedMs }
  }
  took.sort((a, b) => a - b)
  const medianMs = took[Math.floor(took.length / 2)] ?? Number.NaN
  return { path, by, rows, medianMs, slowestMs: took.at(-1) ?? Number.NaN }
}

const viewport = { width: 1440, height: 900 }

/** A browser with a profile on disk, as people have one; a context without keeps no compiled scripts. */
const signedIn = async (profile: string, { url }: { url: string }, cookie: string) => {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ['--no-sandbox'],
    viewport,
  })
  // The prefix of their names requires secure cookies, which Chromium sends to a loopback address without HTTPS too.
  const secureUrl = url.replace('http:', 'https:')
  await context.addCookies(
    cookie.split('; ').map(each => {
      const at = each.indexOf('=')
      return { name: each.slice(0, at), value: each.slice(at + 1), url: secureUrl, secure: true }
    }),
  )
  return context
}

/** Scrolls each list at the largest size that the console offers, and the lists without sizes that are as long. */
const measureScrolls = async (
  context: BrowserContext,
  url: string,
  pages: readonly MeasuredPage[],
): Promise<ScrollResult[]> => {
  const blank: Page = await context.newPage()
  const scrolls = [await measureEmptyScroll(blank)]
  await blank.close()
  for (const { path, rows: selector, hasSizes } of pages) {
    const address = hasSizes ? withSize(path) : path
    const { page } = await openPage(context, `${url}${address}`, selector)
    // A long list renders its first rows before the others.
    const last = page.locator(selector).nth(largestPage - 1)
    await last.waitFor({ timeout: restMs }).catch(() => {})
    const rows = await page.locator(selector).count()
    if (rows >= largestPage) {
      scrolls.push(await measureScroll(page, { name: `\`${address}\``, selector }))
      console.log(`${address}: ${scrolls.at(-1)?.framesPerSecond.toFixed(1)} frames a second`)
    }
    await page.close()
  }
  return scrolls
}

const withSize = (path: string): string => {
  const url = new URL(path, 'http://console')
  url.searchParams.set('size', String(largestPage))
  return `${url.pathname}${url.search}${url.hash}`
}

/** Opens each page with a table in Chromium. Undefined where there is no Chromium. */
export const measureConsole = async (
  hub: TestHub,
  upstream: string,
  rounds: number,
): Promise<ConsoleResult | undefined> => {
  if (!existsSync(executablePath)) {
    console.log(`the console is not measured: there is no ${executablePath}; set CHROMIUM`)
    return undefined
  }
  const { gateway } = hub
  const { channelId, close } = await addListRows(hub, upstream)
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-console-'))
  const contexts: Partial<Record<MeasuredPage['by'], BrowserContext>> = {}
  try {
    const { cookie } = await administer(gateway).signIn('root', gateway.rootPassword)
    contexts.root = await signedIn(join(folder, 'root'), gateway, cookie)
    contexts.busy = await signedIn(join(folder, 'busy'), gateway, hub.cookie)
    const measured = measuredPages(hub).map(each => ({
      ...each,
      path: each.path.replace('/channel/1?', `/channel/${channelId}?`),
    }))
    const pages: PageTime[] = []
    for (const page of measured) {
      pages.push(await timePage(contexts[page.by]!, gateway.url, page, rounds))
      console.log(`${page.path} as ${page.by}: ${pages.at(-1)?.medianMs.toFixed(0)} ms`)
    }
    const lists = measured.filter(each => each.isList)
    return { rounds, pages, scrolls: await measureScrolls(contexts.root, gateway.url, lists) }
  } finally {
    for (const context of Object.values(contexts)) await context.close()
    rmSync(folder, { recursive: true, force: true })
    await close()
  }
}
