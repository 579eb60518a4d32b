import type { Settings } from '@hub/contract'
import { expect } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { startHostileIssuer } from '../harness/sign-in/hostile-issuer.ts'
import { oidcApp } from '../harness/sign-in/oidc-server.ts'
import type { TestHub } from '../harness/test-hub.ts'
import { weChatSettings } from './wechat-settings.ts'

type Key = keyof Settings['oauth']

const toolsOf = (hub: () => TestHub) => {
  const set = (key: Key, value: string) => hub().admin.setOption(key, value)
  const endpoint = (provider: string) =>
    callApi<string>(hub().gateway, {}, 'GET', `/api/oauth/endpoint?provider=${provider}`)
  const addressOf = async (provider: string) => new URL((await endpoint(provider)).data)
  const configure = async (values: Partial<Record<Key, string>>) => {
    for (const [key, value] of Object.entries(values)) await set(key as Key, value)
  }
  const switchTest = (key: Key, provider: string, ready: () => Promise<unknown>) => async () => {
    await ready()
    expect((await endpoint(provider)).success).toBe(true)
    await set(key, 'false')
    expect((await endpoint(provider)).code).toBe('oauth.disabled')
  }
  const secretTest = (key: Key, provider: string, ready: () => Promise<unknown>) => async () => {
    await ready()
    await set(key, '')
    expect((await endpoint(provider)).code).toBe('oauth.disabled')
  }
  return { set, endpoint, addressOf, configure, switchTest, secretTest }
}

/** The part of `settings.test.ts` about sign-ins by third parties. */
export const oauthSettings = (hub: () => TestHub) =>
  ({ ...appSettings(hub), ...issuerSettings(hub), ...weChatSettings(hub) }) satisfies Record<
    Key,
    () => Promise<void>
  >

const appSettings = (hub: () => TestHub) => {
  const { set, addressOf, configure, switchTest, secretTest } = toolsOf(hub)
  const app = (name: 'GitHub' | 'Lark') => async () => {
    const enabled = { GitHub: 'GitHubOAuthEnabled', Lark: 'LarkAuthEnabled' } as const
    await configure({ [`${name}ClientId`]: 'app', [`${name}ClientSecret`]: 'secret' })
    await set(enabled[name], 'true')
  }
  const [github, lark] = [app('GitHub'), app('Lark')]
  return {
    GitHubOAuthEnabled: switchTest('GitHubOAuthEnabled', 'github', github),
    GitHubClientId: async () => {
      await github()
      await set('GitHubClientId', 'another-app')
      expect((await addressOf('github')).searchParams.get('client_id')).toBe('another-app')
    },
    GitHubClientSecret: secretTest('GitHubClientSecret', 'github', github),
    GitHubServer: async () => {
      await github()
      await configure({
        GitHubServer: 'https://git.example.com/',
        GitHubClientSecret: 'secret',
      })
      expect((await addressOf('github')).origin).toBe('https://git.example.com')
      await set('GitHubServer', 'https://github.com')
    },
    LarkAuthEnabled: switchTest('LarkAuthEnabled', 'lark', lark),
    LarkClientId: async () => {
      await lark()
      await set('LarkClientId', 'cli_other')
      expect((await addressOf('lark')).searchParams.get('client_id')).toBe('cli_other')
    },
    LarkClientSecret: secretTest('LarkClientSecret', 'lark', lark),
    LarkServer: async () => {
      await lark()
      await configure({ LarkServer: 'https://open.larksuite.com', LarkClientSecret: 'secret' })
      expect((await addressOf('lark')).host).toBe('accounts.larksuite.com')
    },
  }
}

const issuerSettings = (hub: () => TestHub) => {
  const { set, endpoint, addressOf, configure, switchTest, secretTest } = toolsOf(hub)
  const withIssuer = async (
    work: (url: string, issuer: Awaited<ReturnType<typeof startHostileIssuer>>) => Promise<void>,
  ) => {
    const issuer = await startHostileIssuer()
    const { clientId: OIDCClientId, clientSecret: OIDCClientSecret } = oidcApp
    try {
      await configure({ OIDCClientId, OIDCIssuer: issuer.url, OIDCClientSecret })
      await set('OIDCAuthEnabled', 'true')
      await work(issuer.url, issuer)
    } finally {
      await issuer.close()
    }
  }
  return {
    OIDCAuthEnabled: () => withIssuer(switchTest('OIDCAuthEnabled', 'oidc', async () => undefined)),
    OIDCClientId: () =>
      withIssuer(async () => {
        await set('OIDCClientId', 'another-app')
        expect((await addressOf('oidc')).searchParams.get('client_id')).toBe('another-app')
      }),
    OIDCClientSecret: () =>
      withIssuer(secretTest('OIDCClientSecret', 'oidc', async () => undefined)),
    OIDCIssuer: () =>
      withIssuer(async url => {
        expect((await addressOf('oidc')).origin).toBe(url)
        await configure({ OIDCIssuer: 'http://127.0.0.1:1', OIDCClientSecret: 'secret' })
        expect((await endpoint('oidc')).code).toBe('oauth.unreachable')
      }),
    OIDCScopes: () =>
      withIssuer(async () => {
        await set('OIDCScopes', 'openid,groups')
        expect((await addressOf('oidc')).searchParams.get('scope')).toBe('openid groups')
      }),
    OIDCUsernameClaims: () =>
      withIssuer(async (_url, issuer) => {
        const { gateway } = hub()
        issuer.state.information = { sub: 'subject-1', nickname: 'nick-of-ann' }
        await set('OIDCUsernameClaims', 'nickname')
        const begun = await endpoint('oidc')
        const cookie = begun.headers
          .getSetCookie()
          .map(each => each.split(';')[0])
          .join('; ')
        const { headers } = await fetch(begun.data, { redirect: 'manual' })
        const { search } = new URL(headers.get('location') ?? '')
        const done = await callApi<{ username: string }>(
          gateway,
          { cookie },
          'GET',
          `/api/oauth/oidc${search}`,
        )
        expect(done.data.username).toBe('nick-of-ann')
      }),
  }
}
