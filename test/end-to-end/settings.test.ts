import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultSettings, type SettingKey } from '@hub/contract'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { faultIn } from '../harness/frames.ts'
import { chargesOf, query } from '../harness/ledger.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { openUnread } from '../harness/raw-http.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { openSocket, refusedUpgrade } from '../harness/sockets/client.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { channelSettings } from './channel-settings.ts'
import { claudeSettings } from './claude-settings.ts'
import { responsesSettings } from './responses-settings.ts'

const defaults = Object.assign({}, ...Object.values(defaultSettings())) as Record<
  SettingKey,
  unknown
>

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(100_000_000)
    await hub.admin.setOption('RetryCooldownSeconds', '0')
  })
  afterAll(() => hub?.close())

  const set = (key: SettingKey, value: string) => hub.admin.setOption(key, value)
  const status = async (): Promise<Record<string, unknown>> =>
    (await callApi<Record<string, unknown>>(hub.gateway, {}, 'GET', '/api/status')).data
  const page = async (path: string) => (await callApi<string>(hub.gateway, {}, 'GET', path)).data
  const call = (model: string, stream = false) => hub.ask({ key: person.key, model, stream })
  const chat = (text: string) => hub.ask({ key: person.key, model: text })

  const register = (aff_code = '') =>
    callApi(hub.gateway, {}, 'POST', '/api/user/register', {
      username: `new-${randomBytes(5).toString('hex')}`,
      password: 'a-password',
      aff_code,
    })
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
  /** Account and password as the mail server sees them, before and after the key is set. */
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
      expect(seen).toEqual(['account', 'token'])
      await set(key, value)
      await testMail()
      expect(seen.slice(2)).toContain(value)
    })
  }

  afterEach(async () => {
    for (const each of ['a', 'b']) hub.upstream.behave(each, '')
    await set('RetryTimes', '0')
    await set('RetryCooldownSeconds', '0')
  })

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
    TokensPerUserMax: async () => {
      await set('TokensPerUserMax', '1')
      const session = { cookie: person.cookie }
      const reply = await callApi(hub.gateway, session, 'POST', '/api/token/', { name: 'second' })
      expect(reply.code).toBe('token.too_many')
      await set('TokensPerUserMax', String(defaults.TokensPerUserMax))
    },
    QuotaForNewUser: async () => {
      await set('QuotaForNewUser', '77')
      await register()
      expect(await given('grant')).toContain(77)
      await set('QuotaForNewUser', '0')
    },
    QuotaForInviter: async () => {
      await set('QuotaForInviter', '78')
      await register(await inviteCode())
      expect(await given('inviter')).toContain(78)
      await set('QuotaForInviter', '0')
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
        expect(mailServer.emails).toHaveLength(1)
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
        expect(mailServer.emails[0]?.from?.address).toBe('other@example.com')
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
    ConnectTimeoutSeconds: async () => {
      // TEST-NET-1: no host has this address; without a network the connection fails at once.
      const [channel] = await hub.admin.addChannel('http://127.0.0.1:9', { models: 'away:*' })
      await hub.admin.setPrice('away:*', 'tokens', 1)
      await set('ConnectTimeoutSeconds', '1')
      const seen = await chat('away:x')
      expect(faultIn(seen.text)).toMatch(/^upstream_(unreachable|timeout)$/)
      expect(seen.endedAt - seen.startedAt).toBeLessThan(20_000)
      await hub.admin.api('DELETE', `/api/channel/${channel?.id}`)
    },
    FirstByteTimeoutSeconds: async () => {
      await set('FirstByteTimeoutSeconds', '1')
      expect(faultIn((await call('any:first=1800')).text)).toBe('upstream_timeout')
      await set('FirstByteTimeoutSeconds', '60')
      expect((await call('any:first=1800')).complete).toBe(true)
    },
    IdleTimeoutSeconds: async () => {
      await set('IdleTimeoutSeconds', '1')
      expect(faultIn((await call('any:stall=2', true)).text)).toBe('upstream_timeout')
      await set('IdleTimeoutSeconds', '300')
    },
    StreamDurationMaxSeconds: async () => {
      await set('StreamDurationMaxSeconds', '10')
      const seen = await call('any:forever=500', true)
      expect(faultIn(seen.text)).toBe('stream_too_long')
      expect(seen.endedAt - seen.startedAt).toBeLessThan(60_000)
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
      const given = await readNothing('5')
      await until('it is given up', () => given.served.closedAt, 30_000)
      given.socket.destroy()
      const kept = await readNothing('60')
      await sleep(9_000)
      expect(kept.served.closedAt).toBeUndefined()
      kept.socket.destroy()
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
    AbandonedCallsPerMinute: async () => {
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
      await set('AbandonedCallsPerMinute', '0')
      expect(await leave()).toBe(1)
      await set('AbandonedCallsPerMinute', '10')
    },
    UpdatePriceService: async () => {
      await set('UpdatePriceService', 'https://prices.example/list.json')
      const data = await hub.admin.api<string>('GET', '/api/prices/updateService')
      expect(data).toBe('https://prices.example/list.json')
    },
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
    ...responsesSettings(() => hub),
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
