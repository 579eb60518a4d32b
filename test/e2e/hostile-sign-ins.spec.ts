import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { makeGitHubUser, startFakeGitHub } from '../harness/sign-in/fake-github.ts'
import { startFakeLark } from '../harness/sign-in/fake-lark.ts'
import { startHostileIssuer } from '../harness/sign-in/hostile-issuer.ts'
import { oidcApp, startOidcServer } from '../harness/sign-in/oidc-server.ts'
import { signInSettings } from '../harness/sign-in/settings.ts'
import { expect, type Hub, openHub, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')
const ways = ['github', 'lark', 'oidc', 'company'] as const
type Way = (typeof ways)[number]
const clockFile = 'clock'
/** A state is valid for ten minutes. */
const lateMs = 601_000

test('a hostile answer of a provider signs nobody in, and the page says why', async ({
  page,
  browser,
}) => {
  const hub = await openHub({ TRUSTED_PROXIES: '127.0.0.1', CLOCK_OFFSET_FILE: clockFile })
  const vendors = await connectVendors(hub)
  const stranger = await browser.newContext()
  try {
    await dress(page, 'en_US')
    await refusesStates(page, stranger, hub)
    await refusesAccounts(page, hub, vendors)
    await refusesLateStates(page, hub)
    await page.waitForURL(`${hub.gateway.url}/login`)
  } finally {
    await stranger.close()
    await hub.close()
    for (const vendor of Object.values(vendors)) await vendor.close()
  }
})

const connectVendors = async ({ gateway, admin }: Hub) => {
  const callback = (id: Way) => `${gateway.url}/oauth/${id}`
  const github = await startFakeGitHub(callback('github'))
  const lark = await startFakeLark(callback('lark'))
  const oidc = await startHostileIssuer()
  const company = await startOidcServer([callback('company')])
  const settings = {
    ServerAddress: gateway.url,
    LocalTrialEnabled: 'true',
    ...signInSettings({ github, lark, oidc }),
  }
  for (const [key, value] of Object.entries(settings)) await admin.setOption(key, value)
  await admin.api('POST', '/api/custom-oauth-provider/', {
    ...{ name: 'Company', slug: 'company', issuer: company.url },
    ...{ client_id: oidcApp.clientId, client_secret: oidcApp.clientSecret },
  })
  return { github, lark, oidc, company }
}
type Vendors = Awaited<ReturnType<typeof connectVendors>>

/** The address to which the provider sends the browser back, before the page there has run. */
const begin = async (context: BrowserContext, { gateway }: Hub, way: Way): Promise<URL> => {
  const endpoint = await context.request.get(`${gateway.url}/api/oauth/endpoint?provider=${way}`)
  const { data } = (await endpoint.json()) as { data: string }
  return new URL((await context.request.get(data)).url())
}

const userOf = async (page: Page, { gateway }: Hub) => {
  const response = await page.request.get(`${gateway.url}/api/user/session`)
  return ((await response.json()) as { data: { id: number; username: string } | null }).data
}

/** A gateway counts sign-ins per address, so that each part of the test comes from an address of its own. */
const comeFrom = (context: BrowserContext, address: string) =>
  context.setExtraHTTPHeaders({ 'x-forwarded-for': address })

const refuses = async (page: Page, hub: Hub, address: URL, fault: string, what: string) => {
  await page.goto(address.href)
  await expect(page.getByText(t(`faults.${fault}`)), what).toBeVisible()
  expect(await userOf(page, hub), what).toBeNull()
}

const accepts = async (page: Page, hub: Hub, address: URL) => {
  await page.goto(address.href)
  await page.waitForURL(`${hub.gateway.url}/panel`)
  const user = await userOf(page, hub)
  // An answer to the open page could otherwise set the cookie again.
  await page.goto('about:blank')
  await page.context().clearCookies({ name: /^(__Host-)?hub$/ })
  return user
}

const changed = (address: URL, query: Record<string, string>): URL => {
  const next = new URL(address)
  for (const [key, value] of Object.entries(query)) next.searchParams.set(key, value)
  return next
}

const refusesStates = async (page: Page, stranger: BrowserContext, hub: Hub) => {
  const context = page.context()
  for (const [at, way] of ways.entries()) {
    await comeFrom(context, `192.0.2.${at}`)
    const foreign = await begin(stranger, hub, way)
    await refuses(page, hub, foreign, 'oauth.state', `${way}: foreign state`)
    const right = await begin(context, hub, way)
    await refuses(page, hub, changed(right, { state: '' }), 'oauth.state', `${way}: missing state`)
    expect(await accepts(page, hub, right)).not.toBeNull()
    await refuses(page, hub, right, 'oauth.state', `${way}: reused state`)
    // The hostile issuer accepts every code.
    if (way === 'oidc') continue
    const code = right.searchParams.get('code') ?? ''
    const replayed = changed(await begin(context, hub, way), { code })
    await refuses(page, hub, replayed, 'oauth.refused', `${way}: replayed code`)
  }
}

const refusesAccounts = async (page: Page, hub: Hub, { github, lark, oidc }: Vendors) => {
  const context = page.context()
  await comeFrom(context, '192.0.2.10')
  const email = 'victim@example.org'
  const victim = await hub.admin.addPerson(1, {}, { email })
  const claim = (verified: boolean) => [
    { email, primary: true, verified, visibility: 'private' as const },
  ]
  const asVictim = (id: number, verified: boolean) =>
    makeGitHubUser(id, { login: victim.username, emails: claim(verified) })
  github.state.user = asVictim(2, true)
  const taken = await begin(context, hub, 'github')
  await refuses(page, hub, taken, 'oauth.email_taken', "the victim's verified e-mail")
  github.state.user = asVictim(3, false)
  const user = await accepts(page, hub, await begin(context, hub, 'github'))
  expect([victim.id, null, undefined]).not.toContain(user?.id)
  expect(user?.username).not.toBe(victim.username)

  github.state.hostile = { id: 0 }
  lark.state.user = { open_id: '', name: 'Nobody' }
  for (const way of ['github', 'lark'] as const)
    await refuses(page, hub, await begin(context, hub, way), 'oauth.refused', `${way}: no subject`)
  await comeFrom(context, '192.0.2.11')
  for (const claims of [
    { sub: '' },
    { iss: 'https://issuer.example' },
    { aud: 'another-app' },
    { nonce: 'another' },
  ]) {
    oidc.state.forge = token => void Object.assign(token.claims, claims)
    const address = await begin(context, hub, 'oidc')
    await refuses(page, hub, address, 'oauth.refused', JSON.stringify(claims))
  }
  oidc.state.forge = () => undefined
}

const refusesLateStates = async (page: Page, hub: Hub) => {
  const context = page.context()
  await comeFrom(context, '192.0.2.12')
  const late: [Way, URL][] = []
  for (const way of ways) late.push([way, await begin(context, hub, way)])
  writeFileSync(join(hub.gateway.dataDir, clockFile), String(lateMs))
  for (const [way, address] of late)
    await refuses(page, hub, address, 'oauth.state', `${way}: expired state`)
}
