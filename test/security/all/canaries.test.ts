import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SettingKey, settings } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../harness/addresses/keep-alive.ts'
import { callApi, type Person } from '../../harness/admin.ts'
import { describeOneEngineBeforeSoak } from '../../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import {
  allEndpoints,
  type ContractCall,
  callsOf,
  fieldsOf,
  isSecretField,
} from '../contract-calls.ts'
import { storedTexts } from '../stored-texts.ts'

const canary = (name: string) => `canary-${name}-${randomBytes(8).toString('hex')}`

/** One canary for each secret field of the contract, by resource and field. */
const canaries = {
  'channels.key': canary('key'),
  'channels.proxy': canary('proxy'),
  'channels.model_headers': canary('header'),
  'channels.custom_parameter': canary('parameter'),
  'settings.SMTPToken': canary('mail'),
  'settings.ChatImageRequestProxy': `http://user:${canary('image-proxy')}@127.0.0.1:1`,
  'settings.CFWorkerImageKey': canary('worker'),
  'settings.TurnstileSecretKey': canary('turnstile'),
  'settings.GitHubClientSecret': canary('github'),
  'settings.LarkClientSecret': canary('lark'),
  'settings.OIDCClientSecret': canary('oidc'),
  'oauth-providers.client_secret': canary('provider'),
  'notifications.config': canary('notifications'),
  'own-notifications.config': canary('own-notifications'),
  'settings.WeChatServerToken': canary('wechat'),
  'settings.TaskStorageSecretKey': canary('task-storage'),
  'settings.TelegramBotToken': `1:${canary('telegram')}`,
  'settings.TelegramProxy': `http://user:${canary('telegram-proxy')}@127.0.0.1:1`,
  'users.password': canary('password'),
  // WeChat Pay takes exactly 32 characters.
  'payments.config': canary('payments'),
}
/** Secret fields that are inputs only: they prove who calls, and are compared with a stored hash. */
const inputsOnly = [
  // The file of an import has the keys of its channels, which have canaries as `channels.key`.
  'channels.file',
  'sign-in.password',
  'profile.password',
  'profile.current_password',
  'profile.code',
  'profile.verification_code',
  'second-factor.current_password',
  'second-factor.code',
  'profile.passkey_proof',
  'second-factor.passkey_proof',
  'passkeys.current_password',
  'passkeys.code',
  'passkeys.passkey_proof',
  'sign-in.turnstile',
  'oauth.wechat_code',
  'oauth.passkey_proof',
  'sign-in.token',
  'sign-in.code',
  'oauth.code',
  'oauth.state',
  'oauth.current_password',
  'telegram.current_password',
  'telegram.code',
  'telegram.passkey_proof',
  // A redemption code is made by administrators, who hand it out.
  'profile.key',
]
const adminsMax = 8
const isLong = process.env.HUB_EVERY_ENGINE !== undefined
const metricsLogin = { METRICS_USER: 'watcher', METRICS_PASSWORD: 'watched' }
/** They end the session of the administrator who tries. */
const endsOwnSession = ['sign-in.logout', 'sign-in.logoutByPost']

/** A server that answers every request with the request itself, as text and in an error. */
const startEcho = async () => {
  const requests: string[] = []
  const record = ({ method, url, rawHeaders }: IncomingMessage, body = '') => {
    const text = `${method} ${url} ${rawHeaders.join(' ')} ${body}`
    const logins = [...text.matchAll(/Basic ([\w+/=]+)/gi)].map(([, login = '']) => login)
    requests.push([text, ...logins.map(each => Buffer.from(each, 'base64').toString())].join(' '))
    return text
  }
  const server = createServer(keepAlive, async (request, response) => {
    const message = record(request, await readText(request))
    response.writeHead(request.method === 'GET' ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: [{ id: 'm' }], error: { message, type: 'echo' } }))
  })
  server.on('connect', (request, socket) => {
    record(request)
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}`, requests, close: () => server.close() }
}
type Echo = Awaited<ReturnType<typeof startEcho>>

const readText = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const plantedChannels = (storedHost: Echo) => {
  const key = canaries['channels.key']
  const secrets = {
    model_headers: JSON.stringify({ 'x-team': canaries['channels.model_headers'] }),
    custom_parameter: JSON.stringify({ user: canaries['channels.custom_parameter'] }),
  }
  const proxy = `http://user:${canaries['channels.proxy']}@${storedHost.host}`
  return [
    { key, ...secrets },
    { key, ...secrets, proxy },
    { key, ...secrets, type: 8, plugin: { customize: { '1': '/chat' } } },
    { key: `{"client_email":"${key}"}`, ...secrets, type: 42, other: 'us-east5|mine' },
  ]
}

const plantGateways = (hub: TestHub, { url }: Echo) =>
  Promise.all(
    Object.entries(gatewayConfigs(url)).map(async ([type, config]) => {
      const gateway = { type, name: type, icon: type, currency: 'CNY', config }
      const made = await hub.admin.api<{ id: number; uuid: string }>(
        'POST',
        '/api/payment/',
        gateway,
      )
      return { ...made, address: Object.keys(config)[0]! }
    }),
  )

const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const merchantKey = String(makeKeys().privateKey.export({ type: 'pkcs8', format: 'pem' }))
const alipayKey = String(makeKeys().publicKey.export({ type: 'spki', format: 'pem' }))
/** Keys of gateways that must have a form of their own. */
const formedKeys = {
  'payments.mch_private_key': merchantKey,
  'payments.private_key': String(makeKeys().privateKey.export({ type: 'pkcs8', format: 'pem' })),
  'payments.secret_key': `sk_test_${randomBytes(16).toString('hex')}`,
  'payments.webhook_secret': `whsec_${randomBytes(16).toString('hex')}`,
}

/** The first field is the address. */
const gatewayConfigs = (url: string) => {
  const key = canaries['payments.config']
  return {
    epay: { pay_domain: url, key, partner_id: '1' },
    bepusdt: { pay_domain: url, key },
    wxpay: {
      api_url: url,
      mch_apiv3_key: key,
      mch_private_key: merchantKey,
      app_id: 'wx0123456789abcdef',
      mch_id: '1900000001',
      mch_certificate_serial_number: '5F1C72E2A8931B72',
    },
    alipay: {
      gateway_url: url,
      private_key: formedKeys['payments.private_key'],
      public_key: alipayKey,
      app_id: '2021000000000001',
    },
    stripe: {
      api_address: url,
      secret_key: formedKeys['payments.secret_key'],
      webhook_secret: formedKeys['payments.webhook_secret'],
    },
  }
}

describeOneEngineBeforeSoak(engine => {
  let hub: TestHub
  let admins: Person[]
  let calls = 0
  let storedHost: Echo
  let foreign: Echo
  let victims: number[]
  /** The channels as they were planted. */
  let planted: object[]
  let providerId: number
  let gateways: { id: number; uuid: string; address: string }[]
  beforeAll(async () => {
    storedHost = await startEcho()
    foreign = await startEcho()
    hub = await startTestHub(engine, { env: { LOG_LEVEL: 'debug', ...metricsLogin } })
    victims = []
    planted = []
    for (const more of plantedChannels(storedHost)) {
      const channel = { models: 'm', tag: 'victims', ...more }
      const [made] = await hub.admin.addChannel(`${storedHost.url}/v`, channel)
      victims.push(made!.id)
      planted.push({ id: made!.id, base_url: `${storedHost.url}/v`, proxy: null, ...channel })
    }
    for (const key of [
      'SMTPToken',
      'ChatImageRequestProxy',
      'CFWorkerImageKey',
      'TurnstileSecretKey',
      'GitHubClientSecret',
      'LarkClientSecret',
      'OIDCClientSecret',
      'WeChatServerToken',
      'TaskStorageSecretKey',
      'TelegramBotToken',
      'TelegramProxy',
    ] as const)
      await hub.admin.setOption(key, canaries[`settings.${key}`])
    gateways = await plantGateways(hub, storedHost)
    const provider = await hub.admin.api<{ id: number }>('POST', '/api/custom-oauth-provider/', {
      name: 'Company',
      slug: 'company',
      issuer: storedHost.url,
      client_id: 'app',
      client_secret: canaries['oauth-providers.client_secret'],
    })
    providerId = provider.id
    for (const [path, secret] of [
      ['/api/notification/', canaries['notifications.config']],
      ['/api/user/notification/', canaries['own-notifications.config']],
    ] as const) {
      const config = { url: 'http://127.0.0.1:1/', secret }
      await hub.admin.api('POST', path, { name: 'hook', type: 'webhook', config })
    }
    const password = canaries['users.password']
    await hub.admin.api('POST', '/api/user/', { username: 'victim', password })
    admins = []
    for (let at = 0; at < adminsMax; at += 1)
      admins.push(await hub.admin.addPerson(1_000, {}, { role: 10 }))
    // With all rights of administrators more calls are accepted.
    for (const key of Object.keys(settings.administrators.shape))
      await hub.admin.setOption(key as SettingKey, 'true')
    await proveAll()
  })
  afterAll(async () => {
    await hub?.close()
    storedHost?.close()
    foreign?.close()
  })

  /** Calls with a fresh proof of each session are accepted for ten minutes. */
  const proveAll = async () => {
    for (const { cookie, password: current_password } of admins) {
      const body = { current_password }
      const response = await callApi(hub.gateway, { cookie }, 'POST', '/api/user/proof', body)
      expect(response.success).toBe(true)
    }
  }
  /** Takes turns, so that no administrator reaches the limit of requests per minute. */
  const nextSession = () => ({ cookie: admins[calls++ % adminsMax]!.cookie })

  const send = async ({ method, path, body }: ContractCall) => {
    const { headers, ...response } = await callApi(hub.gateway, nextSession(), method, path, body)
    return { ...response, headers: [...headers] }
  }
  /** Makes the gateway use the stored secrets of each victim. */
  const useSecrets = async () => {
    const texts: string[] = []
    for (const { uuid } of gateways) {
      const order = { uuid, amount: 1 }
      const placed = await callApi<{ trade_no?: string } | undefined>(
        hub.gateway,
        nextSession(),
        'POST',
        '/api/user/order',
        order,
      )
      // An order form is signed with the key, and contains only the signature.
      texts.push(JSON.stringify(placed.data ?? placed.message))
    }
    const orders = await hub.admin.api<{ data: { id: number }[] }>('GET', '/api/payment/order')
    for (const { id } of orders.data.slice(0, gateways.length))
      texts.push(JSON.stringify(await hub.admin.api('POST', `/api/payment/order/${id}/ask`, {})))
    for (const id of victims)
      for (const [path, body] of [
        [`/api/channel/test/${id}`, { model: 'm' }],
        [`/api/channel/update_balance/${id}`, {}],
        ['/api/channel/provider_models_list', { id, type: 1 }],
        ['/api/channel/provider_groups_list', { id, type: 1 }],
        [`/api/channel/${id}/upstream`, {}],
      ] as const)
        texts.push(JSON.stringify(await callApi(hub.gateway, nextSession(), 'POST', path, body)))
    return texts.join('\n')
  }
  /** A call that was accepted may have replaced a canary, which no later call could find then. */
  const plantAgain = async ({ name, method, body = {} }: ContractCall) => {
    const replaces = ['key', 'proxy', 'model_headers', 'custom_parameter'].some(key => key in body)
    if (!name.startsWith('channels.') || method !== 'PUT' || !replaces) return
    for (const each of planted) await hub.admin.api('PUT', '/api/channel/', each)
  }
  /** Tries to have the key of a gateway sent to another host. */
  const tryGatewayMoves = async (check: (where: string, text: string) => void) => {
    await proveAll()
    gateways = await plantGateways(hub, storedHost)
    check('use of the gateways', await useSecrets())
    for (const { id, address } of gateways) {
      const config = { [address]: foreign.url }
      const moved = { id, config, notify_domain: foreign.url }
      const response = await callApi(hub.gateway, nextSession(), 'PUT', '/api/payment/', moved)
      expect(response.code).toBe('payment.secrets_needed')
      check('a moved gateway', JSON.stringify(response))
    }
    check('use of moved gateways', await useSecrets())
    check('the log', hub.gateway.output())
    check('the foreign host', foreign.requests.join('\n'))
    const sent = storedHost.requests.join()
    for (const key of [canaries['payments.config'], formedKeys['payments.secret_key']])
      expect(sent, 'the keys of gateways were in use').toContain(key)
  }
  /** Tries to have the secret of a sign-in provider sent to another host. */
  const tryProviderMoves = async (check: (where: string, text: string) => void) => {
    const path = '/api/custom-oauth-provider/'
    const token_endpoint = `${foreign.url}/token`
    const moves = [
      { issuer: foreign.url },
      {
        kind: 'oauth2',
        authorization_endpoint: foreign.url,
        token_endpoint,
        userinfo_endpoint: foreign.url,
      },
    ]
    for (const move of moves) {
      const change = { id: providerId, ...move }
      const response = await callApi(
        hub.gateway,
        { bearer: hub.gateway.accessToken },
        'PUT',
        path,
        change,
      )
      expect(response.code).toBe('oauth.secret_needed')
      check('a moved provider', JSON.stringify(response))
    }
  }
  const readMetrics = async () => {
    const login = Buffer.from(Object.values(metricsLogin).join(':')).toString('base64')
    const headers = { authorization: `Basic ${login}` }
    const response = await fetch(`${hub.gateway.url}/api/metrics`, { headers })
    expect(response.status).toBe(200)
    return await response.text()
  }
  const found = (text: string) =>
    [...Object.entries(canaries), ...Object.entries(formedKeys)]
      // A line of a private key: each key begins in the same way.
      .filter(([, secret]) => text.includes(secret.split('\n')[2] ?? secret))
      .map(([name]) => name)

  it('a canary is planted in every secret field of the contract', () => {
    const named = allEndpoints.flatMap(({ name, endpoint }) =>
      fieldsOf(endpoint)
        .filter(([, schema]) => isSecretField(schema))
        .map(([field]) => `${name.split('.')[0]}.${field}`),
    )
    const options = Object.values(settings).flatMap(({ shape }) =>
      Object.entries(shape)
        .filter(([, schema]) => isSecretField(schema))
        .map(([key]) => `settings.${key}`),
    )
    const planted = [...Object.keys(canaries), ...inputsOnly].sort()
    expect([...new Set([...named, ...options])].sort()).toEqual(planted)
  })

  it('S5 S24 C38 no sequence of calls brings an administrator a stored secret', async () => {
    const attacks = [foreign.url, JSON.stringify({ host: foreign.host }), `//${foreign.host}/`]
    // A sample: `npm run test:long` sends each of them, and to each channel.
    if (!isLong) attacks.length = 1
    const isLast = (method: string) => Number(method === 'DELETE')
    const tried = isLong ? victims : victims.slice(1, 2)
    const endpoints = allEndpoints
      .filter(({ name }) => !endsOwnSession.includes(name))
      .sort((a, b) => isLast(a.endpoint.method) - isLast(b.endpoint.method))
    const leaks: string[] = []
    const accepted = new Set<string>()
    const check = (where: string, text: string) =>
      leaks.push(...found(text).map(name => `${where}: ${name}`))
    const tryCall = async (call: ContractCall) => {
      const response = await send(call)
      if (response.status < 300) accepted.add(call.name)
      expect(response.code).not.toBe('rate.api')
      check(`${call.method} ${call.path}`, JSON.stringify(response))
      if (response.status < 300 && call.name.startsWith('channels.') && call.method === 'PUT')
        check(`use after ${call.method} ${call.path}`, await useSecrets())
      if (response.status < 300) await plantAgain(call)
    }
    for (const each of endpoints) {
      const takesId = fieldsOf(each.endpoint).some(([field]) => field === 'id' || field === 'ids')
      const ofGateways = each.name.startsWith('payments.')
        ? gateways.map(({ id }) => id)
        : undefined
      const ofChannels = each.name.startsWith('channels.') ? tried : [victims[0]!]
      const ids = takesId ? (ofGateways ?? ofChannels) : [victims[0]!]
      for (const id of ids) {
        const known = { id, ids: [id], tag_name: 'victims', tag: 'victims', status: 1 }
        for (const call of callsOf(each, known, attacks)) await tryCall(call)
      }
    }
    check('the foreign host', foreign.requests.join('\n'))
    check('the log', hub.gateway.output())
    const audit = await hub.admin.api<{ total_count: number }>('GET', '/api/audit/?size=1')
    for (let page = 1; page <= Math.ceil(audit.total_count / 100); page += 1)
      check(
        'audit',
        JSON.stringify(await hub.admin.api('GET', `/api/audit/?size=100&page=${page}`)),
      )
    await tryGatewayMoves(check)
    await tryProviderMoves(check)
    check('the foreign host', foreign.requests.join('\n'))
    check('the metrics', await readMetrics())
    for (const { name, text } of await storedTexts(hub.gateway, engine))
      check(`a dump of ${name}`, text)
    expect([...new Set(leaks)]).toEqual([])
    expect(storedHost.requests.join(), 'the secrets were in use').toContain(
      canaries['channels.key'],
    )
    for (const name of ['channels.update', 'channels.updateTag', 'channels.fetchModels'])
      expect(accepted).toContain(name)
  })
})
