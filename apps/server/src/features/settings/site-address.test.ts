import { beforeAll, expect, it } from 'vitest'
import { startFakeOAuth2 } from '../../../../../test/harness/sign-in/fake-oauth2.ts'
import { oidcApp, startOidcServer } from '../../../../../test/harness/sign-in/oidc-server.ts'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { quotaEmail } from '../../core/emails/quota-email.ts'
import { siteUrl } from '../../core/site/address.ts'
import { findAddressProblem } from '../../core/site/problems.ts'
import * as options from '../../db/queries/options.ts'
import * as users from '../../db/queries/users.ts'
import { renderMessage } from '../../notifications/render.ts'
import { noticeAddress } from '../../tasks/formats/midjourney/notify.ts'
import { answerCommand } from '../telegram/commands.ts'

let hub: TestApp
let user: TestUser
let oidc: Awaited<ReturnType<typeof startOidcServer>>
let plain: Awaited<ReturnType<typeof startFakeOAuth2>>

const addresses = {
  unset: '',
  loopback: 'http://localhost:3000',
  public: 'https://hub.example',
} as const
type State = keyof typeof addresses

/** Writes past the checks, as an earlier release or an import did. */
const store = async (values: Record<string, string>) => {
  for (const [key, value] of Object.entries(values)) await options.write(hub.app.db, key, value)
  await hub.app.reloadSettings()
}
const put = async (key: string, value: string) =>
  (await hub.root.put('/api/option/', { key, value })).body.code ?? 'on'
const originOf = (text: string | undefined) => (text ? new URL(text).origin : 'no link')
/** The origin of the first address in a text. */
const linkIn = (text: string) => originOf(/https?:[^\s"<]+/.exec(text)?.[0])

/** The callback that the provider's page is asked to return to, or the code of the refusal. */
const callbackOf = async (provider: string, parameter = 'redirect_uri') => {
  const { body } = await hub.guest().get(`/api/oauth/endpoint?provider=${provider}`)
  return body.code ?? originOf(new URL(body.data).searchParams.get(parameter) ?? undefined)
}

type Feature = {
  /** Turns it on by the admin API. */
  enable(): Promise<string>
  /** Has it on, whatever the address is. */
  have(): Promise<unknown>
  off(): Promise<unknown>
  /** The origin of the address that it gives away, or why it gives none. */
  look(): Promise<string>
}

const bySwitch = (
  key: string,
  look: Feature['look'],
  values: [on: string, off: string],
): Feature => ({
  enable: () => put(key, values[0]),
  have: () => store({ [key]: values[0] }),
  off: () => store({ [key]: values[1] }),
  look,
})
const onOff: [string, string] = ['true', 'false']

/** Rows of a table of their own. Each look makes the same row anew. */
const byRow = (
  path: string,
  fields: () => object,
  enabled: string,
  look: (row: { id: number; uuid: string; slug: string }) => Promise<string>,
): Feature => {
  let row: { id: number; uuid: string; slug: string } | undefined
  const add = async (isOn: boolean) => {
    const { body } = await hub.root.post(path, { ...fields(), [enabled]: isOn })
    row = body.data ?? row
    return body.code ?? 'on'
  }
  return {
    enable: () => add(true),
    have: async () => {
      const { ServerAddress } = hub.app.settings().site
      await store({ ServerAddress: addresses.public })
      expect(await add(true)).toBe('on')
      await store({ ServerAddress })
    },
    off: async () => {
      if (row) await hub.root.delete(`${path}${row.id}`)
      row = undefined
    },
    look: () => look(row!),
  }
}

const epay = () => ({
  ...{ type: 'epay', name: 'Pay', icon: 'pay', currency: 'CNY' },
  config: { pay_domain: 'https://pay.example', partner_id: '7', key: 'k', pay_type: '' },
})
const noticeOf = async ({ id, uuid }: { id: number; uuid: string }) => {
  const { notify_url } = (await hub.root.get(`/api/payment/${id}`)).body.data
  const order = (await user.post('/api/user/order', { uuid, amount: 10 })).body
  return order.code ?? linkIn(notify_url)
}

const features: Record<string, Feature> = {
  'links to choose a new password': bySwitch(
    'PasswordResetEnabled',
    async () => {
      hub.clock.now += 3_700_000
      const { body } = await hub.guest().post('/api/reset_password', { email: 'a@example.com' })
      return body.code ?? 'sent'
    },
    onOff,
  ),
  'sign-in by GitHub': bySwitch('GitHubOAuthEnabled', () => callbackOf('github'), onOff),
  'sign-in by Lark': bySwitch('LarkAuthEnabled', () => callbackOf('lark'), onOff),
  'sign-in by OpenID Connect': bySwitch('OIDCAuthEnabled', () => callbackOf('oidc'), onOff),
  'sign-in by an added provider': byRow(
    '/api/custom-oauth-provider/',
    () => ({
      ...{ name: 'Deep', slug: 'deep', kind: 'oauth2', client_id: 'a', client_secret: 'b' },
      authorization_endpoint: `${plain.url}/authorize`,
      token_endpoint: `${plain.url}/token`,
      userinfo_endpoint: `${plain.url}/me`,
    }),
    'enabled',
    () => callbackOf('deep'),
  ),
  'the Telegram bot': bySwitch(
    'TelegramBotEnabled',
    async () => {
      const row = await users.find(hub.app.db, user.id)
      const account = { id: '5', name: 'ann' } as never
      const request = { account, user: row, language: 'en_US', argument: '' } as const
      return linkIn((await answerCommand(hub.app, 'aff', request)).html)
    },
    onOff,
  ),
  'the webhook of Telegram': bySwitch(
    'TelegramUpdateMode',
    async () => originOf(siteUrl(hub.app, '/api/telegram/webhook')),
    ['webhook', 'polling'],
  ),
  'the notices of Midjourney': bySwitch(
    'MjNotifyEnabled',
    async () => originOf(noticeAddress(hub.app, 'task')),
    onOff,
  ),
  'a payment gateway': byRow('/api/payment/', epay, 'enable', noticeOf),
  'a payment gateway with its own domain': byRow(
    '/api/payment/',
    () => ({ ...epay(), notify_domain: 'https://pay.hub.example' }),
    'enable',
    noticeOf,
  ),
}

const [local, site, own] = [addresses.loopback, addresses.public, 'https://pay.hub.example']
const refused = 'setting.address_needed'
const needed = { unset: refused, loopback: refused, 'local trial': 'on', public: 'on' }

type Row = {
  newly: Record<State | 'local trial', string>
  already: Record<State, string>
}
const row = (
  newly: Row['newly'],
  unset: string,
  loopback: string = local,
  open: string = site,
): Row => ({
  newly,
  already: { unset, loopback, public: open },
})
const table: Record<keyof typeof features, Row> = {
  'links to choose a new password': row(needed, refused, 'sent', 'sent'),
  'sign-in by GitHub': row(needed, refused),
  'sign-in by Lark': row(needed, refused),
  'sign-in by OpenID Connect': row(needed, refused),
  'sign-in by an added provider': row(needed, refused),
  'the Telegram bot': row(needed, 'no link'),
  'the webhook of Telegram': row(needed, 'no link'),
  'the notices of Midjourney': row(needed, 'no link'),
  'a payment gateway': row(needed, 'payment.unavailable'),
  'a payment gateway with its own domain': row(
    { unset: 'on', loopback: 'on', 'local trial': 'on', public: 'on' },
    own,
    own,
    own,
  ),
}

const tableTests = () => {
  for (const [name, { newly, already }] of Object.entries(table)) {
    const feature = () => features[name]!
    it(`${name} is turned on by the address of the site`, async () => {
      for (const [state, outcome] of Object.entries(newly)) {
        const ServerAddress = addresses[state === 'local trial' ? 'loopback' : (state as State)]
        await store({ ServerAddress, LocalTrialEnabled: String(state === 'local trial') })
        expect([state, await feature().enable()]).toEqual([state, outcome])
        await feature().off()
      }
    })
    it(`${name} continues where it was on before`, async () => {
      for (const [state, outcome] of Object.entries(already)) {
        await store({ ServerAddress: addresses[state as State], LocalTrialEnabled: 'false' })
        await feature().have()
        expect([state, await feature().look()]).toEqual([state, outcome])
        await feature().off()
      }
    })
  }

  it('a local trial is no problem at a loopback address, and one elsewhere', async () => {
    const problem = async (ServerAddress: string, LocalTrialEnabled: string) => {
      await store({ ServerAddress, LocalTrialEnabled, MjNotifyEnabled: 'true' })
      return (await findAddressProblem(hub.app))?.state
    }
    expect(await problem(addresses.loopback, 'true')).toBeUndefined()
    expect(await problem(addresses.loopback, 'false')).toBe('loopback')
    expect(await problem('', 'true')).toBe('unset')
    expect(await problem(addresses.public, 'false')).toBeUndefined()
    await store({ MjNotifyEnabled: 'false' })
  })

  it('a switch that is on is saved again, and a gateway that is on takes other changes', async () => {
    await store({ ServerAddress: '', LocalTrialEnabled: 'false', MjNotifyEnabled: 'true' })
    expect(await put('MjNotifyEnabled', 'true')).toBe('on')
    await store({ MjNotifyEnabled: 'false', ServerAddress: addresses.public })
    const made = (await hub.root.post('/api/payment/', epay())).body.data
    await store({ ServerAddress: '' })
    const change = async (patch: object) =>
      (await hub.root.put('/api/payment/', { id: made.id, ...patch })).body.code ?? 'on'
    expect(await change({ name: 'Other', enable: true })).toBe('on')
    expect(await change({ notify_domain: own })).toBe('on')
    expect(await change({ notify_domain: '' })).toBe(refused)
    expect(await change({ enable: false, notify_domain: '' })).toBe('on')
    expect(await change({ enable: true })).toBe(refused)
    await hub.root.delete(`/api/payment/${made.id}`)
  })
}

const textTests = () => {
  it('texts leave the link out while the address is unset', async () => {
    const texts = (): string[] => {
      const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const
      const facts = { name: 'ann', site: 'Hub', points: 0, usd: '0' }
      const rows = [{ event: 'order.paid', facts: '{}', count: 1, batch: 1, created_at: 1 }]
      return languages.flatMap(language => [
        JSON.stringify(quotaEmail(language, { ...facts, url: siteUrl(hub.app, '/panel/topup') })),
        JSON.stringify(renderMessage(hub.app, { language, user_id: 0 }, rows as never)),
      ])
    }
    await store({ ServerAddress: addresses.public })
    expect(new Set(texts().map(linkIn))).toEqual(new Set([site]))
    await store({ ServerAddress: '' })
    expect(new Set(texts().map(linkIn))).toEqual(new Set(['no link']))
    const samples = (await hub.root.get('/api/option/mail-templates')).body.data
    const linked = samples.filter((each: { link: object | null }) => each.link !== null)
    expect(new Set(linked.map((each: { template: string }) => each.template))).toEqual(
      new Set(['reset']),
    )
    expect((await hub.guest().get('/api/status')).body.data).toMatchObject({
      ...{ server_address: '', passkey_login: false, password_reset: false },
    })
  })

  it('the origin check compares with the Host alone while the address is unset', async () => {
    const logout = async (origin: string) =>
      (await hub.guest({ headers: { origin } }).post('/api/user/logout')).body.code ?? 'passed'
    await store({ ServerAddress: 'https://front.example' })
    expect(await logout('https://front.example')).toBe('passed')
    await store({ ServerAddress: '' })
    expect(await logout('https://front.example')).toBe('session.cross_origin')
    expect(await logout('http://hub.example')).toBe('passed')
  })
}

onBothEngines('site address', open => {
  beforeAll(async () => {
    plain = await startFakeOAuth2('http://localhost:3000/oauth/deep')
    oidc = await startOidcServer(['http://localhost:3000/oauth/oidc'])
    hub = await open()
    user = await hub.person()
    await store({ SMTPServer: '127.0.0.1', SMTPFrom: 'hub@example.com' })
    for (const [key, value] of [
      ...[
        ['GitHubClientId', 'a'],
        ['GitHubClientSecret', 'b'],
        ['LarkClientId', 'a'],
      ],
      ...[
        ['LarkClientSecret', 'b'],
        ['OIDCClientId', oidcApp.clientId],
        ['OIDCIssuer', oidc.url],
      ],
      ['OIDCClientSecret', oidcApp.clientSecret],
      ['TelegramBotToken', '123456789:AAFabcdefghijklmnop'],
    ] as [string, string][])
      expect(await put(key, value)).toBe('on')
    return async () => {
      await plain.close()
      await oidc.close()
    }
  })
  tableTests()
  textTests()
})
