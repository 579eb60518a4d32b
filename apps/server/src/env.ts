import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { Fault } from '@hub/contract'
import { parseKey, readKeyFile } from './lib/credentials/key-file.ts'
import type { Failpoint } from './lib/failpoint.ts'
import { isRange } from './lib/ip.ts'

export type Env = {
  port: number
  host: string
  /** Undefined: SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** Undefined: short-lived state is held in this process. */
  redisUrl: string | undefined
  dataDir: string
  /** 32 bytes. Made when neither the environment nor `dataDir` has one. */
  masterKey: Buffer
  /** The file that stores a new key once the database is known to have no other. */
  newMasterKeyFile: string | undefined
  logLevel: string
  /** Writes one log line for each call of the relay. */
  accessLog: boolean
  /** How long a stopping server still serves new calls, so that load balancers notice it. */
  stopDelaySeconds: number
  /** How long running calls may take after that before they are ended and settled. */
  stopDeadlineSeconds: number
  /** Addresses and ranges whose forwarding headers are trusted. */
  trustedProxies: string[]
  /** Where files may be fetched from whose addresses callers supply. */
  fetch: {
    ports: number[]
    /** Addresses and ranges that are not public, and may be fetched from all the same. */
    privateRanges: string[]
    /** Empty: the name servers of the system. */
    dnsServers: string[]
  }
  language: 'zh_CN' | 'zh_HK' | 'en_US' | 'ja_JP'
  initialRootPassword: string | undefined
  initialRootToken: string | undefined
  initialRootAccessToken: string | undefined
  /** Undefined: `/api/metrics` answers 404. */
  metrics: { user: string; password: string } | undefined
  /** The OTLP collector for spans and metrics. Undefined: nothing is exported. */
  telemetry:
    | { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string }
    | undefined
  /** For tests: another address than Cloudflare's. */
  turnstileAddress: string
  /** For tests: the step at which the process kills itself. */
  failpoint: Failpoint | undefined
  /** For tests: a file with an offset in milliseconds that is added to the wall clock. */
  clockOffsetFile: string | undefined
}

const turnstileAddress = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

export type EnvSource = Record<string, string | undefined>

/** Reads and checks the environment; nothing else does. Where two names are read, the second is One Hub's. */
export const readEnv = (source: EnvSource = process.env): Env => {
  const { dataDir, databaseUrl } = readDatabaseEnv(source)
  return {
    port: port(source),
    host: text(source, 'HOST') ?? '0.0.0.0',
    databaseUrl,
    redisUrl: connectionUrl(
      source,
      ['REDIS_URL', 'REDIS_CONN_STRING'],
      /^rediss?:\/\/./,
      redisHint,
    ),
    dataDir,
    ...masterKey(source, dataDir),
    logLevel: logLevel(source),
    accessLog: flag(source, 'ACCESS_LOG'),
    stopDelaySeconds: seconds(source, 'STOP_DELAY_SECONDS', 0.5),
    stopDeadlineSeconds: seconds(source, 'STOP_DEADLINE_SECONDS', 25),
    trustedProxies: ranges(source, 'TRUSTED_PROXIES'),
    fetch: {
      ports: ports(source, 'FETCH_PORTS', '80,443,8080,8443'),
      privateRanges: ranges(source, 'FETCH_PRIVATE_RANGES'),
      dnsServers: dnsServers(source, 'FETCH_DNS_SERVERS'),
    },
    language: languages.find(each => each === source.LANGUAGE) ?? 'zh_CN',
    initialRootPassword: secret(source, 'INITIAL_ROOT_PASSWORD', 8, 128),
    initialRootToken: secret(source, 'INITIAL_ROOT_TOKEN', 16, 200),
    initialRootAccessToken: secret(source, 'INITIAL_ROOT_ACCESS_TOKEN', 16, 200),
    metrics: metrics(source),
    telemetry: telemetry(source),
    turnstileAddress: text(source, 'TURNSTILE_ADDRESS') ?? turnstileAddress,
    failpoint: failpoint(source),
    clockOffsetFile: clockOffsetFile(source, dataDir),
  }
}

/** Reads only where the data is, for read-only programs. Unlike `readEnv` it creates no file. */
export const readDatabaseEnv = (
  source: EnvSource = process.env,
): Pick<Env, 'databaseUrl' | 'dataDir'> => ({
  dataDir: resolve(text(source, 'DATA_DIR') ?? 'data'),
  databaseUrl: connectionUrl(
    source,
    ['DATABASE_URL', 'SQL_DSN'],
    /^postgres(ql)?:\/\/./,
    databaseHint,
  ),
})

/** The master key of an installation that exists. Unlike `readEnv` it makes none. */
export const readMasterKey = (source: EnvSource = process.env): Buffer => {
  const { dataDir } = readDatabaseEnv(source)
  if (!text(source, 'MASTER_KEY') && !existsSync(join(dataDir, keyFile)))
    refuse('MASTER_KEY', `is not set, and there is no ${keyFile} in ${dataDir}.`)
  return masterKey(source, dataDir).masterKey
}

/** Reads and checks the environment as with this master key, so that it makes none. */
export const readEnvWith = (masterKey: Buffer, source: EnvSource = process.env): Env =>
  readEnv({ ...source, MASTER_KEY: masterKey.toString('base64') })

/** The keys of a change of the master key, and the files that hold them; absent: they are in the environment. */
export type NewMasterKey = {
  given: Buffer | undefined
  file: string | undefined
  newFile: string | undefined
  /** Reads the new key; the file must exist by then. */
  read(): Buffer
}

export const readNewMasterKey = (source: EnvSource = process.env): NewMasterKey => {
  const { dataDir } = readDatabaseEnv(source)
  const text32 = text(source, 'NEW_MASTER_KEY')
  const given = text32
    ? (parseKey(text32) ?? refuse('NEW_MASTER_KEY', 'must be 32 bytes in base64 or hex.'))
    : undefined
  const file = text(source, 'MASTER_KEY') ? undefined : join(dataDir, keyFile)
  const newFile = file || !given ? join(dataDir, `${keyFile}.new`) : undefined
  const read = () => {
    const key = newFile ? parseKey(readFileSync(newFile, 'utf8').trim()) : given
    if (!key) return refuse('DATA_DIR', `has a ${keyFile}.new that is not 32 bytes.`)
    if (given && !key.equals(given))
      return refuse(
        'NEW_MASTER_KEY',
        `is not the key of ${keyFile}.new, with which a change began.`,
      )
    return key
  }
  return { given, file, newFile, read }
}

/** For tests of programs that are no server. */
export const readFailpoint = (source: EnvSource = process.env): Failpoint | undefined =>
  failpoint(source)

const refuse = (name: string, sentence: string): never => {
  throw new Fault('env.invalid', { hint: `${name} ${sentence}` })
}

const text = (source: EnvSource, name: string): string | undefined =>
  source[name]?.trim() || undefined

const port = (source: EnvSource): number => {
  const value = text(source, 'PORT') ?? '3000'
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    refuse('PORT', `must be a number from 0 to 65535, not "${value}".`)
  return Number(value)
}

const stopSecondsMax = 3_600

const seconds = (source: EnvSource, name: string, fallback: number): number => {
  const value = text(source, name)
  if (value === undefined) return fallback
  if (!/^\d+(\.\d+)?$/.test(value) || Number(value) > stopSecondsMax)
    refuse(name, `must be a number of seconds from 0 to ${stopSecondsMax}, not "${value}".`)
  return Number(value)
}

const flag = (source: EnvSource, name: string): boolean => {
  const value = (text(source, name) ?? 'false').toLowerCase()
  if (value !== 'true' && value !== 'false') refuse(name, `must be true or false, not "${value}".`)
  return value === 'true'
}

const databaseHint =
  'must begin with postgres://. Without it, data lives in SQLite inside DATA_DIR. MySQL is only read by the importer.'
const redisHint = 'must begin with redis:// or rediss://.'

/** Error messages never contain the value, because a connection URL holds a password. */
const connectionUrl = (source: EnvSource, names: string[], pattern: RegExp, hint: string) => {
  const name = names.find(each => text(source, each))
  if (!name) return undefined
  const value = text(source, name) as string
  if (!pattern.test(value) || !URL.canParse(value)) refuse(name, hint)
  return value
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const logLevel = (source: EnvSource): string => {
  const value = (text(source, 'LOG_LEVEL') ?? 'info').toLowerCase()
  if (!levels.includes(value)) refuse('LOG_LEVEL', `must be one of ${levels.join(', ')}.`)
  return value
}

const list = (source: EnvSource, name: string, fallback = ''): string[] =>
  (text(source, name) ?? fallback).split(/[\s,]+/).filter(Boolean)

const ranges = (source: EnvSource, name: string): string[] => {
  const values = list(source, name)
  const wrong = values.find(each => !isRange(each))
  if (wrong) refuse(name, `must list addresses or ranges; "${wrong}" is neither.`)
  return values
}

const ports = (source: EnvSource, name: string, fallback: string): number[] =>
  list(source, name, fallback).map(each => {
    const value = /^\d{1,5}$/.test(each) ? Number(each) : 0
    if (value < 1 || value > 65_535)
      refuse(name, `must list numbers from 1 to 65535, not "${each}".`)
    return value
  })

const dnsServers = (source: EnvSource, name: string): string[] => {
  const values = list(source, name)
  const isServer = (text: string) => {
    const [, address = '', six = ''] =
      /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::\d{1,5})?$/i.exec(text) ?? []
    return isIP(address || six) !== 0
  }
  const wrong = values.find(each => !isServer(each))
  if (wrong)
    refuse(name, `must list addresses such as 1.1.1.1, 1.1.1.1:53 or [::1]:53, not "${wrong}".`)
  return values
}

/** Some systems set LANGUAGE to a list of locales, so unknown values are ignored. */
const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const

const secret = (source: EnvSource, name: string, min: number, max: number): string | undefined => {
  const value = text(source, name)
  if (value !== undefined && (value.length < min || value.length > max))
    refuse(name, `must have ${min} to ${max} characters.`)
  return value
}

const metrics = (source: EnvSource) => {
  const user = text(source, 'METRICS_USER')
  const password = text(source, 'METRICS_PASSWORD')
  if (!user !== !password) refuse('METRICS_USER', 'and METRICS_PASSWORD go together.')
  return user && password ? { user, password } : undefined
}

/** Names of OpenTelemetry: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
const telemetry = (source: EnvSource): Env['telemetry'] => {
  const endpoint = text(source, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return undefined
  if (!/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint))
    refuse('OTEL_EXPORTER_OTLP_ENDPOINT', 'must begin with http:// or https://.')
  const serviceName = text(source, 'OTEL_SERVICE_NAME') ?? 'one-hub'
  return { endpoint, headers: otlpHeaders(source), serviceName }
}

/** `name=value,name=value`, with encoded values. The values are secrets, and stand in no message. */
const otlpHeaders = (source: EnvSource): Record<string, string> => {
  const name = 'OTEL_EXPORTER_OTLP_HEADERS'
  const pairs = (text(source, name) ?? '').split(',').filter(each => each.trim() !== '')
  const headers = pairs.map((pair): [string, string] => {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? []
    const decoded = headerValue(value.trim())
    if (key === '' || decoded === undefined)
      return refuse(name, 'must list name=value, separated by commas, with encoded values.')
    return [key.toLowerCase(), decoded]
  })
  return Object.fromEntries(headers)
}

/** Undefined: it is not encoded as in a URL, or no header may have it. */
const headerValue = (value: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(value)
    return /^[\t\x20-\x7e]*$/.test(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

/**
 * `FAILPOINT=12`: the twelfth step after the server listens; `start:12`: after the start; `signal:12`: after SIGUSR2.
 * `signal:task held`: the next step of that name.
 */
const failpoint = (source: EnvSource): Failpoint | undefined => {
  const value = text(source, 'FAILPOINT')
  if (value === undefined) return undefined
  const [, from = 'open', number, name] =
    /^(?:(start|signal):)?(?:(\d{1,6})|([a-z]+ [a-z ]+))$/.exec(value) ?? []
  if (name === undefined && number === undefined)
    refuse('FAILPOINT', 'must be a number or a name, alone or after start: or signal:.')
  return { step: name ?? Number(number), from: from as Failpoint['from'] }
}

const clockOffsetFile = (source: EnvSource, dataDir: string): string | undefined => {
  const value = text(source, 'CLOCK_OFFSET_FILE')
  return value && resolve(dataDir, value)
}

const keyFile = 'master.key'

const masterKey = (
  source: EnvSource,
  dataDir: string,
): Pick<Env, 'masterKey' | 'newMasterKeyFile'> => {
  const given = text(source, 'MASTER_KEY')
  const file = join(dataDir, keyFile)
  const stored = given ? undefined : readKeyFile(file, problem => refuse('DATA_DIR', problem))
  if (!given && stored === undefined) return { masterKey: randomBytes(32), newMasterKeyFile: file }
  const key = parseKey(given ?? stored ?? '')
  if (key) return { masterKey: key, newMasterKeyFile: undefined }
  if (given) return refuse('MASTER_KEY', 'must be 32 bytes in base64 or hex.')
  return refuse('DATA_DIR', `has a ${keyFile} that is not 32 bytes: ${file}.`)
}
