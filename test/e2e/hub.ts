import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Administrator, administer } from '../harness/admin.ts'
import { type Gateway, startGateway } from '../harness/gateway.ts'
import { startUpstream, type Upstream } from '../upstream/start.ts'
import type { Language } from './words.ts'

export type Hub = { gateway: Gateway; upstream: Upstream; admin: Administrator }

/** A gateway from its first start on, and a vendor that it may be connected to. */
export const openHub = async (): Promise<Hub & { close(): Promise<void> }> => {
  const upstream = await startUpstream()
  const gateway = await startGateway({ env: { TRUSTED_PROXIES: '' } })
  return {
    gateway,
    upstream,
    admin: administer(gateway),
    close: async () => {
      await gateway.close()
      await upstream.close()
    },
  }
}

/** `hub` is new for each test, `seeded` is shared by a worker's and has something on every page. */
export const test = base.extend<{ hub: Hub }, { seeded: Hub }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form.
  hub: async ({}, use) => {
    const hub = await openHub()
    await use(hub)
    await hub.close()
  },
  seeded: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form.
    async ({}, use) => {
      const hub = await openHub()
      await seed(hub)
      await use(hub)
      await hub.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

/** Two channels, prices, people, tokens, calls and faults: what a small team has after a day. */
export const seed = async ({ gateway, upstream, admin }: Hub): Promise<void> => {
  await admin.addChannel(`${upstream.url}/a`, {
    name: 'Main account',
    models: 'gpt-4o-mini,gpt-4.1,any:*',
    tag: 'team',
  })
  await admin.addChannel(`${upstream.url}/b`, {
    name: 'Spare account',
    models: 'gpt-4o-mini',
    priority: 0,
  })
  await admin.setPrice('gpt-4o-mini', 'tokens', 0.075, 0.3)
  await admin.setPrice('gpt-4.1', 'tokens', 1, 4)
  await admin.setPrice('any:*', 'tokens', 1)
  const { ask } = await import('../harness/client.ts')
  for (const display_name of ['Ada', 'Lin'])
    await admin.addPerson(5_000_000, { name: `${display_name}'s laptop` }, { display_name })
  await admin.api('POST', '/api/redemption/', { name: 'Spring', quota: 500_000, count: 3 })
  for (let at = 0; at < 12; at += 1)
    await ask({
      url: gateway.url,
      key: gateway.rootKey,
      model: at % 3 ? 'gpt-4o-mini' : 'gpt-4.1',
      stream: at % 2 === 0,
    })
  await ask({ url: gateway.url, key: gateway.rootKey, model: 'any:status=500' })
}

/** Runs in the page, before it: the language, and an ear for everything that moves by itself. */
const dressing = (language: Language) => `
  localStorage.setItem('appLanguage', '${language}')
  window.shifts = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
export const dress = (page: Page, language: Language) =>
  page.addInitScript({ content: dressing(language) })

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
export const looksRight = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await isAccessible(page)
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect.soft(overflow, 'no horizontal scroll').toBeLessThanOrEqual(0)
  const shifts = await page.evaluate<number>('window.shifts')
  expect.soft(shifts, 'no layout shift').toBeLessThanOrEqual(0.1)
}

export const signIn = async (page: Page, { gateway }: Hub): Promise<void> => {
  const response = await page.request.post(`${gateway.url}/api/user/login`, {
    data: { username: 'root', password: gateway.rootPassword },
    headers: { origin: gateway.url },
  })
  expect(response.ok()).toBe(true)
}
export { expect }
