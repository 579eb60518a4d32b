import { startFakeGitHub } from '../harness/sign-in/fake-github.ts'
import { startFakeLark } from '../harness/sign-in/fake-lark.ts'
import { oidcApp, startOidcServer } from '../harness/sign-in/oidc-server.ts'
import { signInSettings } from '../harness/sign-in/settings.ts'
import { expect, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('GitHub, Lark, OpenID Connect and an added provider sign in, and the profile shows the account', async ({
  page,
  hub,
}) => {
  const { gateway, admin } = hub
  const callback = (id: string) => `${gateway.url}/oauth/${id}`
  const github = await startFakeGitHub(callback('github'))
  const lark = await startFakeLark(callback('lark'))
  const oidc = await startOidcServer([callback('oidc'), callback('company')])
  const settings = {
    ServerAddress: gateway.url,
    LocalTrialEnabled: 'true',
    ...signInSettings({ github, lark, oidc }),
  }
  for (const [key, value] of Object.entries(settings)) await admin.setOption(key, value)
  await admin.api('POST', '/api/custom-oauth-provider/', {
    name: 'Company',
    slug: 'company',
    issuer: oidc.url,
    client_id: oidcApp.clientId,
    client_secret: oidcApp.clientSecret,
  })
  await dress(page, 'en_US')
  for (const name of ['GitHub', 'Lark', 'OIDC', 'Company']) {
    await page.context().clearCookies()
    await page.goto(`${gateway.url}/login`)
    const button = page.getByRole('button', { name: t('oauth.signInWith', { name }) })
    await expect(button).toBeVisible()
    await looksRight(page)
    await button.click()
    await page.waitForURL(`${gateway.url}/panel`)
    await page.goto(`${gateway.url}/panel/profile`)
    await expect(page.getByText(t('oauth.identities'))).toBeVisible()
    await expect(page.getByRole('button', { name: t('oauth.unbindNamed', { name }) })).toBeVisible()
  }
  await page.context().clearCookies()
  await page.goto(`${gateway.url}/oauth/github?code=x&state=made-up`)
  await expect(page.getByText(t('oauth.failed'))).toBeVisible()
  await looksRight(page)
  await page.waitForURL(`${gateway.url}/login`)
  await page.goto(`${gateway.url}/oauth/github?error=access_denied&state=x`)
  await expect(page.getByText(t('oauth.denied', { reason: 'access_denied' }))).toBeVisible()
  await page.waitForURL(`${gateway.url}/login`)
  for (const vendor of [github, lark, oidc]) await vendor.close()
})
