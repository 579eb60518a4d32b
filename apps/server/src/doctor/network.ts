import { addressOf } from '@hub/providers'
import type { Logger } from 'pino'
import type { App } from '../core/app.ts'
import type { Env } from '../env.ts'
import { checkMailServer } from '../notifications/mail.ts'
import type { Channel } from '../relay/channels/channel.ts'
import { connectorOf } from '../relay/upstream/connections/connector.ts'
import { pingRedis } from '../state/ping.ts'
import { type DoctorResult, failed, ok, reasonOf, skipped, warning } from './check.ts'

const connectMs = 5_000
const slowRedisMs = 50
/** Hosts that are tried at the same time. */
const parallel = 8

export const checkRedis = async (
  { redisUrl, databaseUrl }: Env,
  log: Logger,
): Promise<DoctorResult> => {
  if (!redisUrl)
    return skipped(
      'Redis',
      databaseUrl
        ? 'REDIS_URL is not set: right for one node only. Several nodes would count limits each for itself.'
        : 'REDIS_URL is not set. One node needs none.',
    )
  try {
    const ms = await pingRedis(redisUrl, log)
    const text = `It answers after ${ms.toFixed(1)} ms.`
    return ms > slowRedisMs
      ? warning('Redis', `${text} Each call asks it: put it nearer.`)
      : ok('Redis', text)
  } catch (error) {
    return failed(
      'Redis',
      `It does not answer: ${reasonOf(error)}. Check REDIS_URL and its server; until then each node counts limits for itself.`,
    )
  }
}

export const checkMail = async (app: Pick<App, 'settings' | 'seal'>): Promise<DoctorResult> => {
  const { SMTPServer, SMTPPort } = app.settings().mail
  if (SMTPServer === '') return skipped('e-mail', 'No server is set: nobody gets e-mails.')
  try {
    await checkMailServer(app)
    return ok('e-mail', `${SMTPServer}:${SMTPPort} accepts the account.`)
  } catch (error) {
    return failed(
      'e-mail',
      `${SMTPServer}:${SMTPPort}: ${reasonOf(error)}. Check SMTPServer, SMTPPort, SMTPAccount and SMTPToken in the settings.`,
    )
  }
}

type Target = { origin: string; channel: Channel; names: string[] }

/** One target for each host and proxy, with the channels that need it. */
const targetsOf = (channels: readonly Channel[]): Target[] => {
  const targets = new Map<string, Target>()
  for (const channel of channels) {
    const { provider, keys, baseUrl, other, options } = channel
    const credential = keys[0]?.credential ?? ''
    const context = { baseUrl, credential, other, options, model: '', stream: false }
    const address = addressOf(provider, { path: '/' }, context)
    if (address === undefined) continue
    const { origin } = new URL(address)
    const key = `${origin} ${channel.proxy}`
    const target = targets.get(key) ?? { origin, channel, names: [] }
    target.names.push(channel.name)
    targets.set(key, target)
  }
  return [...targets.values()]
}

/** Opens a connection, with TLS, to the host of each enabled channel, by the proxy of the channel. Sends no request. */
export const checkEgress = async (
  channels: readonly Channel[],
  isPrivateAllowed: boolean,
): Promise<DoctorResult[]> => {
  const targets = targetsOf(channels)
  if (targets.length === 0) return [skipped('egress', 'No channel is enabled.')]
  const results: DoctorResult[] = []
  for (let at = 0; at < targets.length; at += parallel)
    results.push(
      ...(await Promise.all(
        targets.slice(at, at + parallel).map(each => checkTarget(each, isPrivateAllowed)),
      )),
    )
  return results
}

const checkTarget = async (
  { origin, channel, names }: Target,
  isPrivateAllowed: boolean,
): Promise<DoctorResult> => {
  const way = channel.proxy ? ' through the proxy of its channel' : ''
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')
  try {
    await connect(origin, channel, isPrivateAllowed)
    return ok('egress', `${origin} is reached${way} (${shown}).`)
  } catch (error) {
    return failed(
      'egress',
      `${origin} is not reached${way} (${shown}): ${reasonOf(error)}. Check name server, firewall${way && ', proxy'} and the address of the channel.`,
    )
  }
}

const connect = (origin: string, channel: Channel, isPrivateAllowed: boolean) => {
  const { protocol, hostname, port } = new URL(origin)
  const credential = channel.keys[0]?.credential ?? ''
  const connector = connectorOf(
    { channel, credential, origin },
    { timeout: connectMs, isPrivateAllowed },
  )
  return new Promise<void>((resolve, reject) => {
    connector({ hostname, host: new URL(origin).host, protocol, port }, (error, socket) => {
      if (error) return reject(error)
      socket?.destroy()
      resolve()
    })
  })
}

/** The time at a host by the header `Date` of its answer, whatever the answer is. */
export const timeAt = async (
  channels: readonly Channel[],
): Promise<[number, string] | undefined> => {
  for (const { origin, channel } of targetsOf(channels)) {
    if (channel.proxy) continue
    try {
      const signal = AbortSignal.timeout(connectMs)
      const answer = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal })
      const date = answer.headers.get('date')
      if (date) return [Date.parse(date), new URL(origin).host]
    } catch {
      // The check of the host reports it.
    }
  }
  return undefined
}
