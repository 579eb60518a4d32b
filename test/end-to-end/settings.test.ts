import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { defaultSettings, type MoneyRight, type SettingKey } from '@hub/contract'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startTurnstileService } from '../../apps/server/test/sign-in/turnstile-service.ts'
import { type FileHost, publicAddress, startFileHost } from '../harness/addresses/file-host.ts'
import { callApi, type Person } from '../harness/admin.ts'
import { faultIn } from '../harness/frames.ts'
import { chargesOf, query } from '../harness/ledger.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { openUnread } from '../harness/raw-http.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { endedByLimit } from '../harness/runner/ended-by-limit.ts'
import { until } from '../harness/runner/until.ts'
import { openSocket, refusedUpgrade } from '../harness/sockets/client.ts'
import { startTestHub, type TestHub, timesPrice } from '../harness/test-hub.ts'
import { channelSettings } from './channel-settings.ts'
import { claudeSettings } from './claude-settings.ts'
import { midjourneySettings } from './midjourney-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import { formatSettings, linkSettings, safetySettings } from './relay-settings.ts'
import { responseCacheSettings } from './response-cache-settings.ts'
import { responsesSettings } from './responses-settings.ts'
import { signInLimitSettings } from './settings/sign-in-limits.ts'
import { analyticsSettings, storedOnly, uptimeSettings } from './site-settings.ts'
import { taskStorageSettings } from './task-storage-settings.ts'
import { telegramSettings } from './telegram-settings.ts'
import { turnstileSecret, turnstileSettings } from './turnstile-settings.ts'

const defaults = Object.assign({}, ...Object.values(defaultSettings())) as Record<
  SettingKey,
  unknown
>

describeOneEngine(engine => {
  let files: FileHost
  let hub: TestHub
  let person: Person
  let turnstile: Awaited<ReturnType<typeof startTurnstileService>>
  beforeAll(async () => {
    files = await startFileHost()
    turnstile = await startTurnstileService(turnstileSecret)
    hub = await startTestHub(engine, {
      env: {
        TURNSTILE_ADDRESS: turnstile.address,
        FETCH_DNS_SERVERS: files.names.address,
        FETCH_PRIVATE_RANGES: publicAddress,
        FETCH_PORTS: String(files.port),
      },
    })
    person = await hub.admin.addPerson(100_000_000)
    for (const cap of ['Inviter', 'Address', 'Day'] as const)
      await set(`InvitationsPer${cap}Max`, '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
  })
  afterAll(async () => {
    await hub?.close()
    await files?.close()
    turnstile?.close()
  })

  const set = (key: SettingKey, value: string) => hub.admin.setOption(key, value)
  const status = async (): Promise<Record<string, unknown>> =>
    (await callApi<Record<string, unknown>>(hub.gateway, {}, 'GET', '/api/status')).data
  const page = async (path: string) => (await callApi<string>(hub.gateway, {}, 'GET', path)).data
  const call = (model: string, stream = false) => hub.ask({ key: person.key, model, stream })
  const chat = (text: string) => hub.ask({ key: person.key, model: text })

  const register = (aff_code = '', session: { from?: string } = {}) =>
    callApi(hub.gateway, session, 'POST', '/api/user/register', {
      username: `new-${randomBytes(5).toString('hex')}`,
      password: 'a-password',
      aff_code,
    })
  const askCode = (email: string) =>
    callApi(hub.gateway, {}, 'POST', '/api/verification', { email })
  const inviteCode = async () =>
    (await callApi<string>(hub.gateway, { cookie: person.cookie }, 'GET', '/api/user/aff')).data
  const given = async (kind: string) =>
    (await query(hub.gateway, `select amount from transfers where kind = '${kind}'`)).map(row =>
      Number(row.amount),
    )
  const testMail = () =>
    callApi(hub.gateway, { bearer: hub.gateway.accessToken }, 'POST', '/api/option/test-mail', {
      to: 'reader@example.com',
    })
  /** Without those of other settings, which may still be on their way. */
  const testMailsAt = (mailServer: MailServer) =>
    mailServer.emails.filter(each => each.recipients.includes('reader@example.com'))
  const withMailServer = async (
    options: Parameters<typeof startMailServer>[1],
    work: (mailServer: MailServer) => Promise<void>,
  ) => {
    const mailServer = await startMailServer(0, options)
    try {
      await set('SMTPServer', '127.0.0.1')
      await set('SMTPPort', String(mailServer.port))
      await set('SMTPFrom', 'hub@example.com')
      await work(mailServer)
    } finally {
      for (const key of ['SMTPServer', 'SMTPFrom', 'SMTPAccount', 'SMTPToken'] as const)
        await set(key, '')
      await mailServer.close()
    }
  }
  /** Account and password as the mail server sees them, before and after the key is set. An earlier e-mail may come between. */
  const signsInWith = async (key: 'SMTPAccount' | 'SMTPToken', value: string) => {
    const seen: (string | null | undefined)[] = []
    const options: Parameters<typeof startMailServer>[1] = {
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        seen.push(username, password)
        done(null, { user: 'anybody' })
      },
    }
    await withMailServer(options, async () => {
      await set('SMTPAccount', 'account')
      await set('SMTPToken', 'token')
      await testMail()
      expect(seen).toEqual(expect.arrayContaining(['account', 'token']))
      expect(seen).not.toContain(value)
      await set(key, value)
      await testMail()
      expect(seen).toContain(value)
    })
  }

  /** The channels that are asked with each value, while the first one answers late. */
  const hedgedWith = async (key: SettingKey, values: readonly string[]) => {
    const models = `${key}:*`
    await hub.admin.addChannel(`${hub.upstream.url}/a`, { models, priority: 1 })
    await hub.admin.addChannel(`${hub.upstream.url}/b`, { models })
    await hub.admin.setPrice(models, 'tokens', 1)
    await set('RetryTimes', '1')
    hub.upstream.behave('a', 'first=1500')
    const channelsAsked: string[] = []
    for (const value of values) {
      await set(key, value)
      hub.upstream.forget()
      await call(`${key}:out=1`)
      channelsAsked.push(hub.upstream.served.map(each => each.channel).join())
    }
    return channelsAsked
  }

  /** `test/security/money-writes.test.ts` tries the writes themselves. */
  const allowsAdministrators = async (key: SettingKey, right: MoneyRight) => {
    const { cookie } = await hub.admin.addPerson(0, {}, { role: 10 })
    const rights = async () => {
      const url = '/api/user/self'
      const self = await callApi<{ money_rights: string[] }>(hub.gateway, { cookie }, 'GET', url)
      return self.data.money_rights
    }
    expect(await rights()).toEqual([])
    await set(key, 'true')
    expect(await rights()).toEqual([right])
    await set(key, 'false')
  }

  afterEach(async () => {
    for (const each of ['a', 'b']) hub.upstream.behave(each, '')
    await set('RetryTimes', '0')
    await set('RetryCooldownSeconds', '0')
  })

  /** A cap of one refuses the gift of the second invitation. */
  const caps = async (key: SettingKey, points: number) => {
    await set('QuotaForInvitee', String(points))
    await set(key, '1')
    for (let n = 0; n < 2; n += 1) await register(await inviteCode(), { from: '127.0.0.9' })
    expect((await given('invitee')).filter(each => each === points)).toHaveLength(1)
    await set(key, '0')
    await set('QuotaForInvitee', '0')
  }

  /** One entry per key: flips it and sees something change. A key without an entry fails the last test. */
  const proofs: Record<SettingKey, () => Promise<void>> = {
    SystemName: async () => {
      await set('SystemName', 'Another name')
      expect((await status()).system_name).toBe('Another name')
    },
    ServerAddress: async () => {
      await set('ServerAddress', 'https://hub.example')
      expect((await status()).server_address).toBe('https://hub.example')
    },
    LocalTrialEnabled: async () => {
      const address = (await status()).server_address
      await set('ServerAddress', 'http://localhost:3000')
      await set('LocalTrialEnabled', 'false')
      await expect(set('MjNotifyEnabled', 'true')).rejects.toThrow('public address')
      await set('LocalTrialEnabled', 'true')
      await set('MjNotifyEnabled', 'true')
      await set('MjNotifyEnabled', 'false')
      await set('ServerAddress', String(address))
    },
    Logo: async () => {
      await set('Logo', 'https://hub.example/logo.svg')
      expect((await status()).logo).toBe('https://hub.example/logo.svg')
    },
    Footer: async () => {
      await set('Footer', 'made by us')
      expect((await status()).footer_html).toContain('made by us')
    },
    Notice: async () => {
      await set('Notice', 'hear ye')
      expect(await page('/api/notice')).toContain('hear ye')
    },
    About: async () => {
      await set('About', 'about us')
      expect(await page('/api/about')).toContain('about us')
    },
    HomePageContent: async () => {
      await set('HomePageContent', 'welcome')
      expect(await page('/api/home_page_content')).toContain('welcome')
    },
    TopUpLink: async () => {
      await set('TopUpLink', 'https://pay.example')
      expect((await status()).top_up_link).toBe('https://pay.example')
    },
    ChatLink: async () => {
      await set('ChatLink', 'https://chat.example/?key={key}')
      expect((await status()).chat_link).toBe('https://chat.example/?key={key}')
    },
    ChatLinks: async () => {
      const links = JSON.stringify([
        { name: 'one', url: 'https://chat.example', show: true, sort: 1 },
      ])
      await set('ChatLinks', links)
      expect((await status()).chat_links).toBe(links)
    },
    PublicPricesEnabled: async () => {
      const seen = async () => (await fetch(`${hub.gateway.url}/api/available_model`)).status
      expect(await seen()).toBe(200)
      await set('PublicPricesEnabled', 'false')
      expect(await seen()).toBe(401)
    },
    DisplayInCurrencyEnabled: async () => {
      await set('DisplayInCurrencyEnabled', 'false')
      expect((await status()).display_in_currency).toBe(false)
    },
    QuotaPerUnit: async () => {
      await set('QuotaPerUnit', '1000')
      expect((await status()).quota_per_unit).toBe(1000)
      await set('QuotaPerUnit', String(defaults.QuotaPerUnit))
    },
    TimeZone: async () => {
      await call('any:out=1')
      await hub.settled()
      const dayIn = async (zone: string) => {
        await set('TimeZone', zone)
        const rows = await callApi<{ Date: string }[]>(
          hub.gateway,
          { cookie: person.cookie },
          'GET',
          '/api/user/dashboard',
        )
        return rows.data
          .map(each => each.Date)
          .sort()
          .at(-1)
      }
      // A day apart, whatever the hour is.
      expect(await dayIn('Pacific/Kiritimati')).not.toBe(await dayIn('Etc/GMT+12'))
      await set('TimeZone', '')
    },
    PasswordLoginEnabled: async () => {
      const username = `pw-${randomBytes(5).toString('hex')}`
      const login = (password: string) =>
        callApi(hub.gateway, {}, 'POST', '/api/user/login', { username, password })
      await callApi(hub.gateway, {}, 'POST', '/api/user/register', {
        username,
        password: 'a-password',
      })
      expect((await login('a-password')).status).toBe(200)
      await set('PasswordLoginEnabled', 'false')
      expect((await status()).password_login).toBe(false)
      expect((await login('a-password')).code).toBe('sign_in.password_off')
      // A wrong password is refused as ever: the answer does not tell which passwords are right.
      expect((await login('b-password')).code).toBe('sign_in.password_off')
      await set('PasswordLoginEnabled', 'true')
    },
    RegisterEnabled: async () => {
      await set('RegisterEnabled', 'false')
      expect((await register()).code).toBe('registration.closed')
      await set('RegisterEnabled', 'true')
      expect((await register()).status).toBe(200)
    },
    PasswordRegisterEnabled: async () => {
      await set('PasswordRegisterEnabled', 'false')
      expect((await register()).code).toBe('registration.closed')
      await set('PasswordRegisterEnabled', 'true')
      expect((await register()).status).toBe(200)
    },
    EmailVerificationEnabled: async () => {
      await withMailServer({}, async () => {
        await set('EmailVerificationEnabled', 'true')
        expect((await status()).email_verification).toBe(true)
        expect((await register()).code).toBe('mail.code_wrong')
        await set('EmailVerificationEnabled', 'false')
      })
    },
    PasswordResetEnabled: async () => {
      const askReset = () =>
        callApi(hub.gateway, {}, 'POST', '/api/reset_password', { email: 'nobody@gmail.com' })
      await withMailServer({}, async () => {
        expect((await askReset()).code).toBe('reset.disabled')
        await set('PasswordResetEnabled', 'true')
        expect((await status()).password_reset).toBe(true)
        expect((await askReset()).status).toBe(200)
        await set('PasswordResetEnabled', 'false')
      })
    },
    EmailDomainRestrictionEnabled: async () => {
      await withMailServer({}, async () => {
        await set('EmailDomainRestrictionEnabled', 'true')
        expect((await askCode('ann@example.com')).code).toBe('mail.domain')
        await set('EmailDomainRestrictionEnabled', 'false')
        expect((await askCode('ann@example.com')).status).toBe(200)
      })
    },
    EmailDomainWhitelist: async () => {
      await withMailServer({}, async () => {
        await set('EmailDomainRestrictionEnabled', 'true')
        await set('EmailDomainWhitelist', 'example.com')
        expect((await askCode('bob@example.com')).status).toBe(200)
        expect((await askCode('bob@gmail.com')).code).toBe('mail.domain')
        await set('EmailDomainRestrictionEnabled', 'false')
      })
    },
    TokensPerUserMax: async () => {
      await set('TokensPerUserMax', '1')
      const session = { cookie: person.cookie }
      const response = await callApi(hub.gateway, session, 'POST', '/api/token/', {
        name: 'second',
      })
      expect(response.code).toBe('token.too_many')
      await set('TokensPerUserMax', String(defaults.TokensPerUserMax))
    },
    ...signInLimitSettings(
      () => hub,
      () => person,
      defaults,
    ),
    QuotaForNewUser: async () => {
      await set('QuotaForNewUser', '77')
      await register()
      expect(await given('grant')).toContain(77)
      await set('QuotaForNewUser', '0')
    },
    QuotaForInviter: async () => {
      await set('QuotaForInviter', '78')
      await set('InviterRewardTime', 'at_once')
      await register(await inviteCode())
      expect(await given('inviter')).toContain(78)
      await set('InviterRewardTime', 'payment_or_spending')
      await set('QuotaForInviter', '0')
    },
    InviterRewardTime: async () => {
      await set('QuotaForInviter', '80')
      await register(await inviteCode())
      expect(await given('inviter')).not.toContain(80)
      await set('InviterRewardTime', 'at_once')
      await register(await inviteCode())
      expect(await given('inviter')).toContain(80)
      await set('QuotaForInviter', '0')
    },
    InvitationsPerInviterMax: () => caps('InvitationsPerInviterMax', 81),
    InvitationsPerAddressMax: () => caps('InvitationsPerAddressMax', 82),
    InvitationsPerDayMax: () => caps('InvitationsPerDayMax', 83),
    PasskeyLoginEnabled: async () => {
      const begin = () => callApi(hub.gateway, {}, 'POST', '/api/user/passkey/login/begin', {})
      expect((await begin()).success).toBe(true)
      await set('PasskeyLoginEnabled', 'false')
      expect((await begin()).code).toBe('passkey.disabled')
    },
    QuotaForInvitee: async () => {
      await set('QuotaForInvitee', '79')
      await register(await inviteCode())
      expect(await given('invitee')).toContain(79)
      await set('QuotaForInvitee', '0')
    },
    SMTPServer: async () => {
      expect((await testMail()).code).toBe('mail.unset')
      await withMailServer({}, async mailServer => {
        expect((await testMail()).status).toBe(200)
        expect(testMailsAt(mailServer)).toHaveLength(1)
      })
    },
    SMTPPort: async () => {
      await withMailServer({}, async mailServer => {
        // An address where no server listens.
        await set('SMTPPort', '1')
        expect((await testMail()).code).toBe('mail.failed')
        await set('SMTPPort', String(mailServer.port))
        expect((await testMail()).status).toBe(200)
      })
    },
    SMTPFrom: async () => {
      await withMailServer({}, async mailServer => {
        await set('SMTPFrom', 'other@example.com')
        await testMail()
        expect(testMailsAt(mailServer)[0]?.from?.address).toBe('other@example.com')
      })
    },
    SMTPAccount: () => signsInWith('SMTPAccount', 'somebody'),
    SMTPToken: () => signsInWith('SMTPToken', 'a password'),
    QuotaRemindThreshold: async () => {
      // The job that reads it runs every 30 s and has a test of its own.
      await set('QuotaRemindThreshold', '5')
      const rows = await hub.admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
      expect(rows.find(each => each.key === 'QuotaRemindThreshold')?.value).toBe('5')
      await set('QuotaRemindThreshold', '0')
    },
    UnusualSpendFactor: async () => {
      // The sums that it is applied to need days of calls; the job has a test of its own.
      await set('UnusualSpendFactor', '7')
      const rows = await hub.admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
      expect(rows.find(each => each.key === 'UnusualSpendFactor')?.value).toBe('7')
      await set('UnusualSpendFactor', '5')
    },
    RetryTimes: async () => {
      hub.upstream.behave('a', 'status=500')
      hub.upstream.behave('b', 'status=500')
      const triesWith = async (times: string) => {
        await set('RetryTimes', times)
        hub.upstream.forget()
        await call('any:out=1')
        return hub.upstream.served.length
      }
      expect([await triesWith('0'), await triesWith('1')]).toEqual([1, 2])
    },
    RetryCooldownSeconds: async () => {
      for (const each of ['a', 'b'])
        await hub.admin.addChannel(`${hub.upstream.url}/${each}`, { models: 'cool:*' })
      await hub.admin.setPrice('cool:*', 'tokens', 1)
      await set('RetryTimes', '1')
      hub.upstream.behave('a', 'status=429')
      const asksWith = async (seconds: string) => {
        await set('RetryCooldownSeconds', seconds)
        hub.upstream.forget()
        for (let at = 0; at < 60; at += 1) await call(`cool:x=${seconds}`)
        return hub.upstream.served.filter(each => each.channel === 'a').length
      }
      expect(await asksWith('600')).toBe(3)
      expect(await asksWith('0')).toBeGreaterThan(3)
    },
    RetryTimeOut: async () => {
      await set('RetryTimes', '5')
      await set('RetryTimeOut', '1')
      for (const each of ['a', 'b']) hub.upstream.behave(each, 'first=1200;status=500')
      hub.upstream.forget()
      await call('any:out=1')
      expect(hub.upstream.served).toHaveLength(1)
      await set('RetryTimeOut', '60')
    },
    PromptCacheRoutingEnabled: async () => {
      const keys = ['one', 'two', 'three', 'four'].map(each => `sk-${each}`)
      const rotation = { key_mode: 'one_channel', key_rotation: 'round_robin' }
      const fields = { models: 'warm:*', key: keys.join('\n'), ...rotation }
      await hub.admin.addChannel(`${hub.upstream.url}/a`, fields)
      await hub.admin.setPrice('warm:*', 'tokens', 1)
      const messages = [{ role: 'user', content: 'word '.repeat(1_000) }]
      const keysWith = async (enabled: string) => {
        await set('PromptCacheRoutingEnabled', enabled)
        hub.upstream.forget()
        for (let n = 0; n < 8; n += 1)
          await hub.ask({ key: person.key, model: 'warm:out=1', body: { messages } })
        return new Set(hub.upstream.served.map(each => each.credential)).size
      }
      expect(await keysWith('false')).toBe(4)
      expect(await keysWith('true')).toBe(1)
    },
    EmptyAnswerRetryEnabled: async () => {
      const models = 'empty:*'
      await hub.admin.addChannel(`${hub.upstream.url}/a`, { models, priority: 1 })
      await hub.admin.addChannel(`${hub.upstream.url}/b`, { models })
      await hub.admin.setPrice(models, 'tokens', 1)
      await set('RetryTimes', '1')
      hub.upstream.behave('a', 'out=0')
      const asksWith = async (enabled: string) => {
        await set('EmptyAnswerRetryEnabled', enabled)
        hub.upstream.forget()
        await call('empty:x=1')
        return hub.upstream.served.map(each => each.channel).join()
      }
      expect([await asksWith('false'), await asksWith('true')]).toEqual(['a', 'a,b'])
    },
    EffortByNameEnabled: async () => {
      await hub.admin.addChannel(`${hub.upstream.url}/a`, { models: 'named' })
      await hub.admin.setPrice('named', 'tokens', 1)
      await set('EffortByNameEnabled', 'false')
      const refused = await call('named-high')
      await set('EffortByNameEnabled', 'true')
      hub.upstream.forget()
      const served = await call('named-high')
      expect([refused.status, served.status]).toEqual([404, 200])
      expect(JSON.parse(String(hub.upstream.served[0]!.body)).reasoning_effort).toBe('high')
    },
    HedgedStartEnabled: async () => {
      await set('HedgedStartMilliseconds', '50')
      expect(await hedgedWith('HedgedStartEnabled', ['false', 'true'])).toEqual(['a', 'a,b'])
    },
    HedgedStartMilliseconds: async () => {
      await set('HedgedStartEnabled', 'true')
      expect(await hedgedWith('HedgedStartMilliseconds', ['60000', '50'])).toEqual(['a', 'a,b'])
      await set('HedgedStartEnabled', 'false')
    },
    ConnectTimeoutSeconds: async () => {
      // It accepts connections and never speaks, so that no TLS connection is made.
      const silent = createServer().listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const address = `https://127.0.0.1:${port}`
      const [channel] = await hub.admin.addChannel(address, { models: 'away:*' })
      await hub.admin.setPrice('away:*', 'tokens', 1)
      let connections = 0
      silent.on('connection', () => {
        connections += 1
      })
      const away = { key: person.key, model: 'away:x', received: () => connections }
      const seen = await endedByLimit(hub, 'ConnectTimeoutSeconds', ['120', '1'], away)
      expect(faultIn(seen.text)).toMatch(/^upstream_(unreachable|timeout)$/)
      silent.close()
      await hub.admin.api('DELETE', `/api/channel/${channel?.id}`)
    },
    FirstByteTimeoutSeconds: async () => {
      const stalled = { key: person.key, model: 'any:stall=headers' }
      const seen = await endedByLimit(hub, 'FirstByteTimeoutSeconds', ['3600', '1'], stalled)
      expect(faultIn(seen.text)).toBe('upstream_timeout')
      await set('FirstByteTimeoutSeconds', '60')
    },
    IdleTimeoutSeconds: async () => {
      const stalled = { key: person.key, model: 'any:stall=2', stream: true }
      const seen = await endedByLimit(hub, 'IdleTimeoutSeconds', ['3600', '1'], stalled)
      expect(faultIn(seen.text)).toBe('upstream_timeout')
      await set('IdleTimeoutSeconds', '300')
    },
    StreamDurationMaxSeconds: async () => {
      const forever = { key: person.key, model: 'any:forever=500', stream: true }
      const seen = await endedByLimit(hub, 'StreamDurationMaxSeconds', ['3600', '10'], forever)
      expect(faultIn(seen.text)).toBe('stream_too_long')
      await set('StreamDurationMaxSeconds', '3600')
    },
    PingSeconds: async () => {
      await set('PingSeconds', '1')
      const pinged = await call('any:out=2;every=1600', true)
      await set('PingSeconds', '0')
      const quiet = await call('any:out=2;every=1600', true)
      const pings = (text: string) => text.match(/^:/gm)?.length ?? 0
      expect([pings(pinged.text) > 0, pings(quiet.text), pinged.complete]).toEqual([true, 0, true])
    },
    SlowReaderSeconds: async () => {
      const readNothing = async (seconds: string) => {
        await set('SlowReaderSeconds', seconds)
        hub.upstream.forget()
        const socket = await openUnread(hub.gateway.url, person.key, 'any:flood=30000000')
        const served = await until('it is being served', () => hub.upstream.served[0])
        return { socket, served }
      }
      const kept = await readNothing('3600')
      const given = await readNothing('5')
      await until('it is given up', () => given.served.closedAt)
      expect(kept.served.closedAt).toBeUndefined()
      for (const each of [kept, given]) each.socket.destroy()
    },
    SocketsPerTokenMax: async () => {
      await set('SocketsPerTokenMax', '1')
      const url = `${hub.gateway.url}/v1/responses`
      const headers = { authorization: `Bearer ${person.key}` }
      const open = await openSocket(url, headers)
      expect((await refusedUpgrade(url, headers)).status).toBe(429)
      await set('SocketsPerTokenMax', '2')
      const second = await openSocket(url, headers)
      for (const each of [open, second]) each.socket.terminate()
    },
    PreConsumedQuota: async () => {
      const poor = await hub.admin.addPerson(300)
      const served = async (quota: string) => {
        await set('PreConsumedQuota', quota)
        return (await hub.ask({ key: poor.key, model: 'any:in=1;out=1', body: { max_tokens: 1 } }))
          .status
      }
      expect([await served('100000'), await served('0')]).toEqual([429, 200])
      await set('PreConsumedQuota', '500')
    },
    AbandonedPointsPerMinute: async () => {
      const leaver = await hub.admin.addPerson(1_000_000)
      const leave = async () => {
        hub.upstream.forget()
        void hub.ask({
          key: leaver.key,
          model: 'any:stall=headers',
          onSent: request =>
            void until('the vendor has it', () => hub.upstream.served.length > 0).then(() =>
              request.destroy(),
            ),
        })
        await until('the vendor was let go', () => hub.upstream.served[0]?.closedAt)
        await hub.settled()
        return (await chargesOf(hub.gateway, leaver.id)).length
      }
      expect(await leave()).toBe(0)
      await set('AbandonedPointsPerMinute', '0')
      expect(await leave()).toBe(1)
      await set('AbandonedPointsPerMinute', '10000')
    },
    HeldWaitSeconds: async () => {
      // The balance covers one call, and the first one holds it until its caller leaves.
      const payer = await hub.admin.addPerson(timesPrice)
      let leave = () => {}
      hub.upstream.forget()
      const onSent = (request: { destroy(): unknown }) => {
        leave = () => void request.destroy()
      }
      void hub.ask({ key: payer.key, model: 'times:stall=headers', onSent })
      await until('the vendor has it', () => hub.upstream.served[0])
      const ask = () => hub.ask({ key: payer.key, model: 'times:out=1' })
      await set('HeldWaitSeconds', '0')
      expect((await ask()).status).toBe(429)
      await set('HeldWaitSeconds', '40')
      const waiting = ask()
      leave()
      expect((await waiting).status).toBe(200)
    },
    UpdatePriceService: async () => {
      await set('UpdatePriceService', 'https://prices.example/list.json')
      const data = await hub.admin.api<string>('GET', '/api/prices/updateService')
      expect(data).toBe('https://prices.example/list.json')
    },
    // The job that reads them runs every minute and has a test of its own.
    ...storedOnly(() => hub, {
      // Obeyed in `apps/server/test/tasks/engine.test.ts` and `copies.test.ts`.
      TaskCopyDays: '7',
      TaskDeadlineMinutes: '30',
      TaskPollsPerSecond: '5',
      TaskRetentionDays: '7',
      // Obeyed in `apps/server/src/backup/run.test.ts`.
      BackupIntervalHours: '12',
      BackupTime: '04:30',
      BackupKeep: '3',
      BackupFolder: 'elsewhere',
      AutoPriceUpdateMinutes: '60',
      AutoPriceUpdateMode: 'update',
      AutoPriceUpdateApprovalPercent: '5',
    }),
    DefaultPrice: async () => {
      await hub.admin.addChannel(`${hub.upstream.url}/a`, { models: 'unpriced:*' })
      const refused = await chat('unpriced:out=1')
      expect([refused.status, faultIn(refused.text)]).toEqual([422, 'model_price_unknown'])
      await set('DefaultPrice', '2')
      const rich = await hub.admin.addPerson(1_000_000)
      expect((await hub.ask({ key: rich.key, model: 'unpriced:in=10;out=5' })).complete).toBe(true)
      await hub.settled()
      expect((await chargesOf(hub.gateway, rich.id)).map(each => each.amount)).toEqual([30])
      await set('DefaultPrice', '')
    },
    ...channelSettings(() => hub),
    ...claudeSettings(() => hub),
    ...turnstileSettings(
      () => hub,
      () => turnstile,
    ),
    ...oauthSettings(() => hub),
    ...responsesSettings(() => hub),
    ...responseCacheSettings(() => hub),
    ...midjourneySettings(() => hub),
    ...formatSettings(() => hub),
    ...safetySettings(() => hub),
    ...analyticsSettings(() => hub),
    ...uptimeSettings(() => hub),
    ...telegramSettings(() => hub),
    ...taskStorageSettings(() => hub),
    ...linkSettings(
      () => hub,
      () => files,
    ),
    LogConsumeEnabled: async () => {
      const logs = async () =>
        Number(
          (
            await query(
              hub.gateway,
              `select count(*) as n from logs where user_id = ${person.id} and type = 2`,
            )
          )[0]?.n,
        )
      await set('LogConsumeEnabled', 'false')
      const before = await logs()
      await call('any:out=1')
      await hub.settled()
      expect(await logs()).toBe(before)
      await set('LogConsumeEnabled', 'true')
      await call('any:out=1')
      await until('the row is there', async () => (await logs()) === before + 1)
    },
    PaymentUSDRate: async () => {
      await set('PaymentUSDRate', '7.25')
      expect((await status()).PaymentUSDRate).toBe(7.25)
    },
    PaymentMinAmount: async () => {
      await set('PaymentMinAmount', '5')
      expect((await status()).PaymentMinAmount).toBe(5)
    },
    RechargeDiscount: async () => {
      await set('RechargeDiscount', '{"100": 0.9}')
      expect((await status()).RechargeDiscount).toBe('{"100": 0.9}')
    },
    AdminGatewayWritesAllowed: () => allowsAdministrators('AdminGatewayWritesAllowed', 'gateways'),
    AdminLowRatiosAllowed: () => allowsAdministrators('AdminLowRatiosAllowed', 'low_ratios'),
    AdminFreePricesAllowed: () => allowsAdministrators('AdminFreePricesAllowed', 'free_prices'),
    AdminOrderCreditsAllowed: () =>
      allowsAdministrators('AdminOrderCreditsAllowed', 'order_credits'),
    AdminLogDeletionAllowed: () => allowsAdministrators('AdminLogDeletionAllowed', 'log_deletion'),
    FreezeForDebtEnabled: async () => {
      // Tests of orders make debts and see the accounts freeze and thaw.
      await set('FreezeForDebtEnabled', 'true')
      const rows = await hub.admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
      expect(rows.find(each => each.key === 'FreezeForDebtEnabled')?.value).toBe('true')
      await set('FreezeForDebtEnabled', 'false')
    },
    UserInvoiceMonth: async () => {
      const listed = () =>
        callApi(hub.gateway, { cookie: person.cookie }, 'GET', '/api/user/invoice')
      expect((await listed()).code).toBe('invoice.disabled')
      await set('UserInvoiceMonth', 'true')
      expect((await listed()).success).toBe(true)
      expect((await status()).UserInvoiceMonth).toBe(true)
    },
    LogRetentionDays: async () => {
      // The job that reads it runs once an hour and has a test of its own.
      await set('LogRetentionDays', '30')
      const rows = await hub.admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
      expect(rows.find(each => each.key === 'LogRetentionDays')?.value).toBe('30')
      await set('LogRetentionDays', '0')
    },
  }

  for (const [key, prove] of Object.entries(proofs))
    it(`flipping ${key} changes what happens`, async () => {
      if (key === 'RetryTimes') await hub.admin.addChannel(`${hub.upstream.url}/b`)
      await prove()
    })

  it('every declared setting is proven, and a wrong value or key is refused and changes nothing', async () => {
    expect(Object.keys(proofs).sort()).toEqual(Object.keys(defaults).sort())
    const bearer = { bearer: hub.gateway.accessToken }
    const wrong = await callApi(hub.gateway, bearer, 'PUT', '/api/option/', {
      key: 'RetryTimes',
      value: 'many',
    })
    expect([wrong.status, wrong.code]).toEqual([422, 'setting.invalid'])
    const unknown = await callApi(hub.gateway, bearer, 'PUT', '/api/option/', {
      key: 'NoSuchThing',
      value: '1',
    })
    expect([unknown.status, unknown.code]).toEqual([422, 'setting.unknown'])
  })
})
