import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { settings } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import {
  allEndpoints,
  type ContractCall,
  callsOf,
  fieldsOf,
  isSecretField,
} from './contract-calls.ts'

const canary = (name: string) => `canary-${name}-${randomBytes(8).toString('hex')}`

/** One canary for each secret field of the contract, by resource and field. */
const canaries = {
  'channels.key': canary('key'),
  'channels.proxy': canary('proxy'),
  'channels.model_headers': canary('header'),
  'channels.custom_parameter': canary('parameter'),
  'settings.SMTPToken': canary('mail'),
  'users.password': canary('password'),
}
/** Secret fields that are inputs only: they prove who calls, and are compared with a stored hash. */
const inputsOnly = [
  'sign-in.password',
  'profile.password',
  'profile.current_password',
  // A redemption code is made by administrators, who hand it out.
  'profile.key',
]
const adminsMax = 8
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
  const server = createServer(async (request, response) => {
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

describeEachEngine(engine => {
  let hub: TestHub
  let admins: Person[]
  let calls = 0
  let storedHost: Echo
  let foreign: Echo
  let victims: number[]
  /** The channels as they were planted. */
  let planted: object[]
  beforeAll(async () => {
    storedHost = await startEcho()
    foreign = await startEcho()
    hub = await startTestHub(engine, { env: { LOG_LEVEL: 'debug' } })
    victims = []
    planted = []
    for (const more of plantedChannels(storedHost)) {
      const channel = { models: 'm', tag: 'victims', ...more }
      const [made] = await hub.admin.addChannel(`${storedHost.url}/v`, channel)
      victims.push(made!.id)
      planted.push({ id: made!.id, base_url: `${storedHost.url}/v`, proxy: null, ...channel })
    }
    await hub.admin.setOption('SMTPToken', canaries['settings.SMTPToken'])
    const password = canaries['users.password']
    await hub.admin.api('POST', '/api/user/', { username: 'victim', password })
    admins = []
    for (let at = 0; at < adminsMax; at += 1)
      admins.push(await hub.admin.addPerson(1_000, {}, { role: 10 }))
  })
  afterAll(async () => {
    await hub?.close()
    storedHost?.close()
    foreign?.close()
  })

  /** Takes turns, so that no administrator reaches the limit of requests per minute. */
  const nextSession = () => ({ cookie: admins[calls++ % adminsMax]!.cookie })

  const send = async ({ method, path, body }: ContractCall) => {
    const { headers, ...reply } = await callApi(hub.gateway, nextSession(), method, path, body)
    return { ...reply, headers: [...headers] }
  }
  /** Makes the gateway use the stored secrets of each victim. */
  const useSecrets = async () => {
    const texts: string[] = []
    for (const id of victims)
      for (const [path, body] of [
        [`/api/channel/test/${id}`, { model: 'm' }],
        [`/api/channel/update_balance/${id}`, {}],
        ['/api/channel/provider_models_list', { id, type: 1 }],
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
  const found = (text: string) =>
    Object.entries(canaries)
      .filter(([, secret]) => text.includes(secret))
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
    const isLast = (method: string) => Number(method === 'DELETE')
    const endpoints = allEndpoints
      .filter(({ name }) => !endsOwnSession.includes(name))
      .sort((a, b) => isLast(a.endpoint.method) - isLast(b.endpoint.method))
    const leaks: string[] = []
    const accepted = new Set<string>()
    const check = (where: string, text: string) =>
      leaks.push(...found(text).map(name => `${where}: ${name}`))
    const tryCall = async (call: ContractCall) => {
      const reply = await send(call)
      if (reply.status < 300) accepted.add(call.name)
      expect(reply.code).not.toBe('rate.api')
      check(`${call.method} ${call.path}`, JSON.stringify(reply))
      if (reply.status < 300 && call.name.startsWith('channels.') && call.method === 'PUT')
        check(`use after ${call.method} ${call.path}`, await useSecrets())
      if (reply.status < 300) await plantAgain(call)
    }
    for (const each of endpoints) {
      const takesId = fieldsOf(each.endpoint).some(([field]) => field === 'id' || field === 'ids')
      const ids = takesId && each.name.startsWith('channels.') ? victims : [victims[0]!]
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
    expect([...new Set(leaks)]).toEqual([])
    expect(storedHost.requests.join(), 'the secrets were in use').toContain(
      canaries['channels.key'],
    )
    for (const name of ['channels.update', 'channels.updateTag', 'channels.fetchModels'])
      expect(accepted).toContain(name)
  })
})
