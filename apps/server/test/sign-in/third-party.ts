import { startFakeGitHub } from '../../../../test/harness/sign-in/fake-github.ts'
import { startFakeLark } from '../../../../test/harness/sign-in/fake-lark.ts'
import { startOidcServer } from '../../../../test/harness/sign-in/oidc-server.ts'
import { signInSettings } from '../../../../test/harness/sign-in/settings.ts'
import type { TestApp, TestClient } from '../harness.ts'

const callback = (id: string) => `http://localhost:3000/oauth/${id}`

/** Starts a GitHub, a Feishu and an OpenID Connect server, and configures the site for them. */
export const startThirdParties = async (hub: TestApp) => {
  const github = await startFakeGitHub(callback('github'))
  const lark = await startFakeLark(callback('lark'))
  const oidc = await startOidcServer([callback('oidc'), callback('company')])
  const settings = signInSettings({ github, lark, oidc })
  for (const [key, value] of Object.entries(settings)) {
    const { body } = await hub.root.put('/api/option/', { key, value })
    if (!body.success) throw new TypeError(body.message)
  }
  const close = async () => {
    await Promise.all([github.close(), lark.close(), oidc.close()])
  }
  return { github, lark, oidc, close }
}

/** Visits the address as a browser does, with cookies, until it is sent back to the site. */
export const visit = async (address: string): Promise<Record<string, string>> => {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location)
      throw new TypeError(`${url.pathname}: ${response.status} ${await response.text()}`)
    url = new URL(location, url)
    if (url.origin === 'http://localhost:3000') return Object.fromEntries(url.searchParams)
  }
  throw new TypeError('too many redirects')
}

export const begin = async (client: TestClient, provider: string): Promise<string> => {
  const { body } = await client.get(`/api/oauth/endpoint?provider=${provider}`)
  if (!body.success) throw new TypeError(body.code)
  return body.data
}

export const finish = (client: TestClient, provider: string, query: Record<string, string>) =>
  client.get(`/api/oauth/${provider}?${new URLSearchParams(query)}`)

/** The whole sign-in of a browser. */
export const signInWith = async (client: TestClient, provider: string, more = {}) =>
  finish(client, provider, { ...(await visit(await begin(client, provider))), ...more })
