import type { BrowserContext, Page } from '@playwright/test'
import { change } from '../harness/ledger.ts'
import { githubApp, makeGitHubUser, startFakeGitHub } from '../harness/sign-in/fake-github.ts'
import { larkApp, startFakeLark } from '../harness/sign-in/fake-lark.ts'
import { startFakeWeChat } from '../harness/sign-in/fake-wechat.ts'
import { startHostileIssuer } from '../harness/sign-in/hostile-issuer.ts'
import { oidcApp, startOidcServer } from '../harness/sign-in/oidc-server.ts'
import { test as base, dress, expect, type Hub, openHub } from './hub.ts'
import { words } from './words.ts'

const t = words('en_US')

/** The site counts attempts per address, so each attempt of a test comes from another one. */
const test = base.extend<{ site: Hub }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form.
  site: async ({}, use) => {
    const site = await openHub({ TRUSTED_PROXIES: '127.0.0.1' })
    await use(site)
    await site.close()
  },
})

let addresses = 0
const fromAnotherAddress = (context: BrowserContext) => {
  addresses += 1
  return context.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${addresses % 250}` })
}

type Account = { id: number; username: string; email: string }
type Vendor = {
  name: string
  /** Signs in as somebody whom nobody knows. */
  becomeStranger: () => void
  /** Signs in as a stranger who claims the name and the verified address of the victim. */
  becomeImpostor: (victim: Account) => void
}

const setOptions = async ({ admin }: Hub, options: Record<string, string>) => {
  for (const [key, value] of Object.entries(options)) await admin.setOption(key, value)
}

const startGitHub = async (site: Hub) => {
  const github = await startFakeGitHub(`${site.gateway.url}/oauth/github`)
  await setOptions(site, {
    ServerAddress: site.gateway.url,
    GitHubClientId: githubApp.clientId,
    GitHubServer: github.url,
    GitHubClientSecret: githubApp.clientSecret,
    GitHubOAuthEnabled: 'true',
  })
  return github
}

const startLark = async (site: Hub) => {
  const lark = await startFakeLark(`${site.gateway.url}/oauth/lark`)
  await setOptions(site, {
    ServerAddress: site.gateway.url,
    LarkClientId: larkApp.clientId,
    LarkServer: lark.url,
    LarkClientSecret: larkApp.clientSecret,
    LarkAuthEnabled: 'true',
  })
  return lark
}

/** `id` is that of the provider in the settings, or of one that the operator adds. */
const addIssuer = async (site: Hub, id: 'oidc' | 'company', issuer: string) => {
  await site.admin.setOption('ServerAddress', site.gateway.url)
  if (id === 'company')
    return site.admin.api('POST', '/api/custom-oauth-provider/', {
      ...{ name: 'Company', slug: id, issuer },
      ...{ client_id: oidcApp.clientId, client_secret: oidcApp.clientSecret },
    })
  return setOptions(site, {
    OIDCClientId: oidcApp.clientId,
    OIDCIssuer: issuer,
    OIDCClientSecret: oidcApp.clientSecret,
    OIDCAuthEnabled: 'true',
  })
}

/** Begins a sign-in with a click, and holds the browser back on its way to the site's callback. */
const answerOf = async (page: Page, { gateway }: Hub, name: string): Promise<URL> => {
  await fromAnotherAddress(page.context())
  await page.goto(`${gateway.url}/login`)
  const isAnswer = ({ origin, pathname }: URL) =>
    origin === gateway.url && pathname.startsWith('/oauth/')
  await page.route(isAnswer, route => route.fulfill({ body: 'held back' }))
  await page.getByRole('button', { name: t('oauth.signInWith', { name }) }).click()
  await page.waitForURL(isAnswer)
  await page.unroute(isAnswer)
  return new URL(page.url())
}

const selfIn = async (page: Page, { gateway }: Hub) => {
  const reply = await page.request.get(`${gateway.url}/api/user/self`)
  return reply.ok() ? ((await reply.json()).data as Account) : undefined
}

/** Opens the answer of a provider, which must end at the sign-in page with the reason and without a session. */
const isRefused = async (page: Page, site: Hub, answer: URL, reason: string, what: string) => {
  await fromAnotherAddress(page.context())
  await page.goto(answer.href)
  await expect(page.getByText(t(`faults.${reason}`)), what).toBeVisible()
  await expect(page.getByText(t('oauth.failed')), what).toBeVisible()
  await page.waitForURL(`${site.gateway.url}/login`)
  expect(await selfIn(page, site), what).toBeUndefined()
}

const signsIn = async (page: Page, site: Hub, answer: URL): Promise<Account> => {
  await page.goto(answer.href)
  await page.waitForURL(`${site.gateway.url}/panel`)
  const account = await selfIn(page, site)
  expect(account).toBeDefined()
  return account!
}

const changed = (answer: URL, parameter: string, value: string | undefined): URL => {
  const url = new URL(answer)
  if (value === undefined) url.searchParams.delete(parameter)
  else url.searchParams.set(parameter, value)
  return url
}

/** Missing, made-up, foreign, used and late states, and a code of another sign-in. */
const refusesHostileStates = async (page: Page, site: Hub, { name, becomeStranger }: Vendor) => {
  const refuse = (answer: URL, reason: string, what: string) =>
    isRefused(page, site, answer, reason, `${name}: ${what}`)
  becomeStranger()
  const answer = await answerOf(page, site, name)
  await refuse(changed(answer, 'state', undefined), 'oauth.state', 'no state')
  await refuse(changed(answer, 'state', 'made-up'), 'oauth.state', 'made-up state')

  const elsewhere = await page.context().browser()!.newContext()
  const other = await elsewhere.newPage()
  await dress(other, 'en_US')
  await refuse(await answerOf(other, site, name), 'oauth.state', 'state of another browser')
  await elsewhere.close()

  const late = await answerOf(page, site, name)
  await change(site.gateway, 'update one_time_codes set expires_at = 1')
  await refuse(late, 'oauth.state', 'expired state')

  const used = await answerOf(page, site, name)
  await signsIn(page, site, used)
  await page.request.get(`${site.gateway.url}/api/user/logout`)
  await page.evaluate('localStorage.removeItem("user")')
  await refuse(used, 'oauth.state', 'used state')
  const next = await answerOf(page, site, name)
  const code = used.searchParams.get('code') ?? undefined
  await refuse(changed(next, 'code', code), 'oauth.refused', 'used code')
}

const victimOf = async ({ admin }: Hub): Promise<Account> => {
  const { id, username } = await admin.addPerson(1_000)
  const email = 'victim@example.com'
  await admin.api('PUT', '/api/user/', { id, email })
  return { id, username, email }
}

/** Whoever claims to be the victim is refused or becomes somebody else, and nothing is bound to the victim. */
const isNobodyElse = async (page: Page, site: Hub, { name, becomeImpostor }: Vendor) => {
  const victim = await victimOf(site)
  becomeImpostor(victim)
  await page.goto((await answerOf(page, site, name)).href)
  await page.waitForURL(/\/(panel|login)$/)
  const account = await selfIn(page, site)
  expect(account?.id, `${name}: name and address of a victim`).not.toBe(victim.id)
  expect(account?.username).not.toBe(victim.username)
  const { data } = await site.admin.api<{ data: Record<string, unknown>[] }>(
    'GET',
    `/api/user/?keyword=${victim.username}`,
  )
  expect(data[0]).toMatchObject({ id: victim.id, github_id: '', lark_id: '', oidc_id: '' })
  await page.context().clearCookies()
}

test('S16 S17 GitHub: hostile answers sign nobody in', async ({ page, site }) => {
  const github = await startGitHub(site)
  await dress(page, 'en_US')
  let id = 100
  const vendor: Vendor = {
    name: 'GitHub',
    becomeStranger: () => {
      id += 1
      github.state.user = makeGitHubUser(id)
    },
    becomeImpostor: ({ username: login, email }) => {
      id += 1
      const emails = [{ email, primary: true, verified: true, visibility: 'private' as const }]
      github.state.user = makeGitHubUser(id, { login, emails })
    },
  }
  await refusesHostileStates(page, site, vendor)
  await isNobodyElse(page, site, vendor)
  github.state.hostile = { id: '' }
  const empty = await answerOf(page, site, 'GitHub')
  await isRefused(page, site, empty, 'oauth.refused', 'GitHub: empty subject')
  await github.close()
})

test('S16 S17 Lark: hostile answers sign nobody in', async ({ page, site }) => {
  const lark = await startLark(site)
  await dress(page, 'en_US')
  let id = 100
  const vendor: Vendor = {
    name: 'Lark',
    becomeStranger: () => {
      id += 1
      lark.state.user = { open_id: `ou_${id}`, name: 'Stranger' }
    },
    becomeImpostor: ({ username: name, email }) => {
      id += 1
      lark.state.user = { open_id: `ou_${id}`, name, email, enterprise_email: email }
    },
  }
  await refusesHostileStates(page, site, vendor)
  await isNobodyElse(page, site, vendor)
  lark.state.user = { open_id: '', name: 'Nobody' }
  const empty = await answerOf(page, site, 'Lark')
  await isRefused(page, site, empty, 'oauth.refused', 'Lark: empty subject')
  await lark.close()
})

for (const [id, name] of [
  ['oidc', 'OIDC'],
  ['company', 'Company'],
] as const) {
  test(`S16 S17 ${name}: hostile answers sign nobody in`, async ({ page, site }) => {
    const oidc = await startOidcServer([`${site.gateway.url}/oauth/${id}`])
    await addIssuer(site, id, oidc.url)
    await dress(page, 'en_US')
    let subject = 0
    const vendor: Vendor = {
      name,
      becomeStranger: () => {
        subject += 1
        oidc.state.user = { sub: `sub-${subject}`, preferred_username: `stranger-${subject}` }
      },
      becomeImpostor: ({ username: preferred_username, email }) => {
        subject += 1
        const claims = { preferred_username, email, email_verified: true }
        oidc.state.user = { sub: `sub-${subject}`, ...claims }
      },
    }
    await refusesHostileStates(page, site, vendor)
    await isNobodyElse(page, site, vendor)
    await oidc.close()
  })

  test(`S16 S22 ${name}: ID tokens of a hostile issuer sign nobody in`, async ({ page, site }) => {
    const issuer = await startHostileIssuer()
    await addIssuer(site, id, issuer.url)
    await dress(page, 'en_US')
    type Claims = Parameters<typeof issuer.state.forge>[0]['claims']
    const forgeries: Record<string, (claims: Claims) => void> = {
      'another issuer': claims => Object.assign(claims, { iss: 'https://issuer.example' }),
      'another audience': claims => Object.assign(claims, { aud: 'another-app' }),
      'another nonce': claims => Object.assign(claims, { nonce: 'another' }),
      'an empty subject': claims => Object.assign(claims, { sub: '' }),
      'a time that has passed': claims => Object.assign(claims, { exp: 1_000_000 }),
    }
    for (const [what, forge] of Object.entries(forgeries)) {
      issuer.state.forge = ({ claims }) => void forge(claims)
      const answer = await answerOf(page, site, name)
      await isRefused(page, site, answer, 'oauth.refused', `${name}: ${what}`)
    }
    issuer.state.forge = () => undefined
    issuer.state.signsWith = 'foreign'
    const foreign = await answerOf(page, site, name)
    await isRefused(page, site, foreign, 'oauth.refused', `${name}: another key`)
    issuer.state.signsWith = 'own'
    await signsIn(page, site, await answerOf(page, site, name))
    await issuer.close()
  })
}

test('S16 S17 WeChat: hostile codes and states sign nobody in', async ({ page, site }) => {
  const helper = await startFakeWeChat('helper-token')
  const { url } = site.gateway
  await setOptions(site, {
    WeChatServerAddress: helper.url,
    WeChatServerToken: 'helper-token',
    WeChatAccountQRCodeImageURL: `${url}/favicon.svg`,
    WeChatAuthEnabled: 'true',
  })
  helper.codes
    .set('blank', '  ')
    .set('111111', 'o-ann')
    .set('222222', 'o-bea')
    .set('333333', 'o-bea')
  await dress(page, 'en_US')
  const open = async (which: Page) => {
    await fromAnotherAddress(which.context())
    await which.goto(`${url}/login`)
    const begun = which.waitForResponse(each => each.url().endsWith('/api/oauth/wechat/begin'))
    await which.getByRole('button', { name: t('sign-in.wechat.action') }).click()
    return (await (await begun).json()).data.state as string
  }
  const enter = async (code: string) => {
    const dialog = page.getByRole('dialog', { name: t('sign-in.wechat.action') })
    await dialog.getByLabel(t('wechat.code')).fill(code)
    await dialog.getByRole('button', { name: t('menu.login') }).click()
    return dialog
  }
  const refuse = async (code: string, reason: string) => {
    await expect((await enter(code)).getByRole('alert')).toContainText(t(`faults.${reason}`))
    expect(await selfIn(page, site)).toBeUndefined()
  }
  /** What the page never sends: a call with another state, by the same browser. */
  const call = async (state: string) => {
    const reply = await page.request.get(`${url}/api/oauth/wechat?code=222222&state=${state}`)
    return (await reply.json()).code as string
  }

  const state = await open(page)
  await refuse('999999', 'wechat.code_wrong')
  await refuse('blank', 'wechat.code_wrong')
  expect([await call(''), await call('made-up')]).toEqual(['request.invalid', 'oauth.state'])
  await enter('111111')
  await page.waitForURL(`${url}/panel`)
  await page.context().clearCookies({ name: /^(__Host-)?hub$/ })
  expect(await call(state)).toBe('oauth.state')

  await open(page)
  await refuse('111111', 'wechat.code_wrong')
  const elsewhere = await page.context().browser()!.newContext()
  const foreign = await open(
    await elsewhere.newPage().then(async each => {
      await dress(each, 'en_US')
      return each
    }),
  )
  expect(await call(foreign)).toBe('oauth.state')
  await elsewhere.close()
  await open(page)
  await change(site.gateway, 'update one_time_codes set expires_at = 1')
  await refuse('333333', 'oauth.state')
  helper.close()
})
