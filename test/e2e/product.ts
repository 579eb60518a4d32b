import type { Page } from '@playwright/test'
import { callApi, type Person } from '../harness/admin.ts'
import { expect, type Hub, signIn, signInAs } from './hub.ts'
import { dress } from './page-checks.ts'
import { words } from './words.ts'

/** The texts of the language in which the specification quotes them. */
export const t = words('zh_CN')

/** Opens a page as a visitor of a desk with the language of the specification. */
export const open = async (page: Page, hub: Hub, path: string) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await dress(page, 'zh_CN')
  await page.goto(`${hub.gateway.url}${path}`)
}

export const openSignedIn = async (page: Page, hub: Hub, path: string) => {
  await signIn(page, hub)
  await open(page, hub, path)
}

export const openAs = async (page: Page, hub: Hub, person: Person, path: string) => {
  await signInAs(page, hub, person)
  await open(page, hub, path)
}

/** Goes to another page of the console as its links do, without loading everything anew. */
export const navigate = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )

/** Fills in the sign-in form and sends it. */
export const submitSignIn = async (page: Page, { gateway }: Hub) => {
  await page.getByLabel(t('sign-in.fields.username')).fill('root')
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(gateway.rootPassword)
  await page
    .getByRole('button', { name: t('menu.login') })
    .last()
    .click()
}

export const menuOf = (page: Page) =>
  page
    .locator('#menu, nav')
    .filter({ hasText: t('menu.token') })
    .first()

export const stored = (page: Page, key: string) =>
  page.evaluate<string | null>(`localStorage.getItem(${JSON.stringify(key)})`)

/** Records the text of every toast of the loaded page: most are gone before a slow machine looks. */
export const recordToasts = async (page: Page) => {
  await page.addInitScript(`
    window.toasts = []
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[data-sonner-toast]'))
        if (!toasts.includes(textContent)) toasts.push(textContent)
    }).observe(document, { childList: true, subtree: true })
  `)
  return () => page.evaluate<string[]>('toasts')
}

/** Answers the calls of an address with the server's own data, changed. */
export const changeData = (page: Page, url: string, change: (data: object) => object) =>
  page.route(url, async route => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...body, data: change(body.data) } })
  })

/** The code of a call of the admin API, or `ok`. Without a cookie the root user makes it. */
export const code = async (
  { gateway }: Hub,
  method: string,
  path: string,
  body?: object,
  cookie = '',
) => {
  const session = cookie ? { cookie } : { bearer: gateway.accessToken }
  const response = await callApi<unknown>(gateway, session, method, path, body)
  return response.success ? 'ok' : (response.code ?? String(response.status))
}

export const isRefused = async (hub: Hub, method: string, path: string, body: object) =>
  expect(await code(hub, method, path, body), JSON.stringify(body)).toMatch(/^(request|quota)\./)
