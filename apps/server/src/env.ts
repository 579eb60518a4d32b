import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Fault } from '@hub/contract'
import type { Failpoint } from './lib/failpoint.ts'
import { isRange } from './lib/ip.ts'

export type Env = {
  port: number
  host: string
  /** Absent: SQLite in dataDir. */
  databaseUrl: string | undefined
  /** Absent: short-lived state lives in this process. */
  redisUrl: string | undefined
  dataDir: string
  /** 32 bytes. Made once into dataDir when the environment has none. */
  masterKey: Buffer
  logLevel: string
  /** Addresses and ranges whose forwarding headers are believed. */
  trustedProxies: string[]
  language: 'zh_CN' | 'zh_HK' | 'en_US' | 'ja_JP'
  initialRootPassword: string | undefined
  initialRootToken: string | undefined
  initialRootAccessToken: string | undefined
  /** Absent: the metrics answer 404. */
  metrics: { user: string; password: string } | undefined
  /** For tests: the step at which the process kills itself. */
  failpoint: Failpoint | undefined
  /** For tests: a file with the milliseconds by which the wall clock is wrong. */
  clockOffsetFile: string | undefined
}

type Source = Record<string, string | undefined>

/** The only reader of the environment. A name after the first is One Hub's for the same thing. */
export const readEnv = (source: Source = process.env): Env => {
  const { dataDir, databaseUrl } = readDatabaseEnv(source)
  return {
    port: port(source),
    host: text(source, 'HOST') ?? '0.0.0.0',
    databaseUrl,
    redisUrl: address(source, ['REDIS_URL', 'REDIS_CONN_STRING'], /^rediss?:\/\/./, redisHint),
    dataDir,
    masterKey: masterKey(source, dataDir),
    logLevel: logLevel(source),
    trustedProxies: trustedProxies(source),
    language: languages.find(each => each === source.LANGUAGE) ?? 'zh_CN',
    initialRootPassword: secret(source, 'INITIAL_ROOT_PASSWORD', 8, 128),
    initialRootToken: secret(source, 'INITIAL_ROOT_TOKEN', 16, 200),
    initialRootAccessToken: secret(source, 'INITIAL_ROOT_ACCESS_TOKEN', 16, 200),
    metrics: metrics(source),
    failpoint: failpoint(source),
    clockOffsetFile: clockOffsetFile(source, dataDir),
  }
}

/** Where the data is, for programs that only look: reading it makes nothing. */
export const readDatabaseEnv = (
  source: Source = process.env,
): Pick<Env, 'databaseUrl' | 'dataDir'> => ({
  dataDir: resolve(text(source, 'DATA_DIR') ?? 'data'),
  databaseUrl: address(source, ['DATABASE_URL', 'SQL_DSN'], /^postgres(ql)?:\/\/./, databaseHint),
})

const refuse = (name: string, sentence: string): never => {
  throw new Fault('env.invalid', { hint: `${name} ${sentence}` })
}

const text = (source: Source, name: string): string | undefined => source[name]?.trim() || undefined

const port = (source: Source): number => {
  const value = text(source, 'PORT') ?? '3000'
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    refuse('PORT', `must be a number from 0 to 65535, not "${value}".`)
  return Number(value)
}

const databaseHint =
  'must begin with postgres://. Without it, data lives in SQLite inside DATA_DIR. MySQL is only read by the importer.'
const redisHint = 'must begin with redis:// or rediss://.'

/** Never shows the value: an address carries a password. */
const address = (source: Source, names: string[], form: RegExp, hint: string) => {
  const name = names.find(each => text(source, each))
  if (!name) return undefined
  const value = text(source, name) as string
  if (!form.test(value) || !URL.canParse(value)) refuse(name, hint)
  return value
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const logLevel = (source: Source): string => {
  const value = (text(source, 'LOG_LEVEL') ?? 'info').toLowerCase()
  if (!levels.includes(value)) refuse('LOG_LEVEL', `must be one of ${levels.join(', ')}.`)
  return value
}

const trustedProxies = (source: Source): string[] => {
  const ranges = (text(source, 'TRUSTED_PROXIES') ?? '').split(/[\s,]+/).filter(Boolean)
  const wrong = ranges.find(each => !isRange(each))
  if (wrong) refuse('TRUSTED_PROXIES', `must list addresses or ranges; "${wrong}" is neither.`)
  return ranges
}

/** LANGUAGE also is the system's own list of locales: what is not one of ours is not meant for us. */
const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const

const secret = (source: Source, name: string, min: number, max: number): string | undefined => {
  const value = text(source, name)
  if (value !== undefined && (value.length < min || value.length > max))
    refuse(name, `must have ${min} to ${max} characters.`)
  return value
}

const metrics = (source: Source) => {
  const user = text(source, 'METRICS_USER')
  const password = text(source, 'METRICS_PASSWORD')
  if (!user !== !password) refuse('METRICS_USER', 'and METRICS_PASSWORD go together.')
  return user && password ? { user, password } : undefined
}

/** `FAILPOINT=12`: the twelfth step from open doors on; `start:12` from the first line on; `signal:12` from SIGUSR2 on. */
const failpoint = (source: Source): Failpoint | undefined => {
  const value = text(source, 'FAILPOINT')
  if (value === undefined) return undefined
  const [, from = 'open', step] = /^(?:(start|signal):)?(\d{1,6})$/.exec(value) ?? []
  if (step === undefined)
    refuse('FAILPOINT', 'must be a number, or start: or signal: and a number.')
  return { step: Number(step), from: from as Failpoint['from'] }
}

const clockOffsetFile = (source: Source, dataDir: string): string | undefined => {
  const value = text(source, 'CLOCK_OFFSET_FILE')
  return value && resolve(dataDir, value)
}

const masterKey = (source: Source, dataDir: string): Buffer => {
  const given = text(source, 'MASTER_KEY')
  if (given) return keyFrom(given) ?? refuse('MASTER_KEY', 'must be 32 bytes in base64 or hex.')
  const file = join(dataDir, 'master.key')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      refuse('DATA_DIR', `(${dataDir}) cannot be written: ${(cause as Error).message}.`)
  }
  const stored = keyFrom(readFileSync(file, 'utf8').trim())
  return stored ?? refuse('DATA_DIR', `has a master.key that is not 32 bytes: ${file}.`)
}

const keyFrom = (value: string): Buffer | undefined => {
  const bytes = /^[0-9a-f]{64}$/i.test(value)
    ? Buffer.from(value, 'hex')
    : Buffer.from(value, 'base64')
  const isDefault = bytes.every(byte => byte === bytes[0])
  return bytes.length === 32 && !isDefault ? bytes : undefined
}
