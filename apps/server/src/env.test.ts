import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTempFolder } from '../test/temp-folder.ts'
import { readEnv } from './env.ts'

it('an empty environment is a working one', () => {
  const env = readEnv({ DATA_DIR: makeTempFolder() })
  expect(env).toMatchObject({ port: 3000, logLevel: 'info', language: 'zh_CN', trustedProxies: [] })
  expect(env.databaseUrl).toBeUndefined()
  expect(env.redisUrl).toBeUndefined()
  expect(env.metrics).toBeUndefined()
})

it('a wrong value is refused with a sentence that names the variable', () => {
  const wrong = {
    PORT: 'http',
    DATABASE_URL: 'mysql://u:p@h/d',
    SQL_DSN: 'root:secret@tcp(localhost)/db',
    REDIS_URL: 'localhost:6379',
    LOG_LEVEL: 'loud',
    TRUSTED_PROXIES: '10.0.0.0/99',
    FETCH_PORTS: '80,http',
    FETCH_PRIVATE_RANGES: 'files.internal',
    FETCH_DNS_SERVERS: 'dns.example:53',
    MASTER_KEY: 'short',
    INITIAL_ROOT_PASSWORD: '1234567',
    INITIAL_ROOT_TOKEN: 'sk-1',
    METRICS_USER: 'prometheus',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    FAILPOINT: 'here',
    ACCESS_LOG: 'yes please',
    STOP_DELAY_SECONDS: '-1',
    STOP_DEADLINE_SECONDS: 'long',
  }
  for (const [name, value] of Object.entries(wrong))
    expect(() => readEnv({ DATA_DIR: makeTempFolder(), [name]: value }), name).toThrow(name)
})

it('telemetry is exported only with an endpoint, and the names are those of OpenTelemetry', () => {
  const read = (source: Record<string, string>) =>
    readEnv({ DATA_DIR: makeTempFolder(), ...source }).telemetry
  expect(read({ OTEL_SERVICE_NAME: 'gateway' })).toBeUndefined()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp' }
  expect(read(endpoint)).toEqual({
    ...{ endpoint: 'https://collector.example/otlp', headers: {}, serviceName: 'one-hub' },
  })
  const headers = 'X-Tenant=a%20b, authorization=Basic%20c2VjcmV0'
  expect(read({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers })?.headers).toEqual({
    'x-tenant': 'a b',
    authorization: 'Basic c2VjcmV0',
  })
  for (const wrong of ['no value', 'a=%0d%0ax: y', 'a=%zz'])
    expect(() => read({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: wrong })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS',
    )
})

it('files are fetched from the usual ports of public addresses unless the operator allows more', () => {
  const read = (source: Record<string, string>) =>
    readEnv({ DATA_DIR: makeTempFolder(), ...source }).fetch
  expect(read({})).toEqual({ ports: [80, 443, 8080, 8443], privateRanges: [], dnsServers: [] })
  const source = {
    FETCH_PORTS: '443, 9000',
    FETCH_PRIVATE_RANGES: '10.1.2.3 fd00::/8',
    FETCH_DNS_SERVERS: '1.1.1.1,10.0.0.53:5353,[::1]:53',
  }
  expect(read(source)).toEqual({
    ports: [443, 9000],
    privateRanges: ['10.1.2.3', 'fd00::/8'],
    dnsServers: ['1.1.1.1', '10.0.0.53:5353', '[::1]:53'],
  })
})

it('a refusal never repeats an address, which may carry a password', () => {
  const read = () =>
    readEnv({ DATA_DIR: makeTempFolder(), SQL_DSN: 'root:hunter2@tcp(localhost)/db' })
  expect(read).not.toThrow('hunter2')
  expect(read).toThrow('SQL_DSN')
})

it("One Hub's names mean the same, and ours win", () => {
  const env = readEnv({
    DATA_DIR: makeTempFolder(),
    SQL_DSN: 'postgres://a/b',
    REDIS_CONN_STRING: 'redis://one',
    REDIS_URL: 'redis://two',
    METRICS_USER: 'u',
    METRICS_PASSWORD: 'p',
    SESSION_SECRET: 'ignored',
  })
  expect(env.databaseUrl).toBe('postgres://a/b')
  expect(env.redisUrl).toBe('redis://two')
  expect(env.metrics).toEqual({ user: 'u', password: 'p' })
})

it('a master key is made if there is none, and stored by nobody yet', () => {
  const dataDir = makeTempFolder()
  const { masterKey, newMasterKeyFile } = readEnv({ DATA_DIR: dataDir })
  expect(masterKey).toHaveLength(32)
  expect(newMasterKeyFile).toBe(join(dataDir, 'master.key'))
  expect(existsSync(join(dataDir, 'master.key'))).toBe(false)
})

it('a stored master key is read', () => {
  const dataDir = makeTempFolder()
  const key = randomBytes(32)
  writeFileSync(join(dataDir, 'master.key'), `${key.toString('base64')}\n`)
  const env = readEnv({ DATA_DIR: dataDir })
  expect([env.masterKey, env.newMasterKeyFile]).toEqual([key, undefined])
})

it('a master key of zeros, or a broken file, is refused', () => {
  expect(() => readEnv({ DATA_DIR: makeTempFolder(), MASTER_KEY: '0'.repeat(64) })).toThrow(
    'MASTER_KEY',
  )
  const dataDir = makeTempFolder()
  writeFileSync(join(dataDir, 'master.key'), 'oops')
  expect(() => readEnv({ DATA_DIR: dataDir })).toThrow('master.key')
})

it("the system's own list of locales is not taken for ours", () => {
  expect(readEnv({ DATA_DIR: makeTempFolder(), LANGUAGE: 'en_GB:en' }).language).toBe('zh_CN')
  expect(readEnv({ DATA_DIR: makeTempFolder(), LANGUAGE: 'ja_JP' }).language).toBe('ja_JP')
})
