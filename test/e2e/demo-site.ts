import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { type Demo, openDemo } from '../../demo/open.ts'
import { root } from '../harness/paths.ts'

export type DemoRole = keyof Demo['logins']

export type DemoSite = {
  url: string
  demo: Demo
  /** Signs a role in. Pages share its session, since an address may sign in 20 times in 20 minutes. */
  signIn(page: Page, role?: DemoRole): Promise<void>
  close(): Promise<void>
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** The demo, for pictures and for tests of pages: filled once, on a free port, without new calls unless they are wanted. */
export const openDemoSite = async ({ isLive = false, isFresh = false } = {}): Promise<DemoSite> => {
  const demo = await openDemo({
    folder: join(root, 'node_modules/.cache/demo-data'),
    databaseUrl: undefined,
    port: 0,
    ...{ isLive, isFresh },
    report: line => console.log(line),
  })
  if (!demo) throw new Error('the demo was only filled')
  const sessions = new Map<DemoRole, Cookies>()
  return {
    url: demo.url,
    demo,
    signIn: async (page, role = 'root') => {
      const context = page.context()
      const known = sessions.get(role)
      if (known) return context.addCookies(known)
      const { username, password } = demo.logins[role]
      const response = await page.request.post(`${demo.url}/api/user/login`, {
        data: { username, password },
        headers: { origin: demo.url },
      })
      if (!response.ok()) throw new Error(`${username} cannot sign in: ${await response.text()}`)
      sessions.set(role, await context.cookies(demo.url))
    },
    close: demo.close,
  }
}
