import { randomBytes } from 'node:crypto'
import { checkDatabase, emptyDatabase } from './database.ts'
import type { SharedClock } from './fill/hub.ts'
import { fill } from './fill/index.ts'
import {
  checkFolder,
  type DemoRecord,
  emptyFolder,
  fingerprintOf,
  newPassword,
  readRecord,
  writeRecord,
} from './folder.ts'
import { type DemoServer, startServer } from './server.ts'
import { startTraffic } from './traffic.ts'
import { startVendor, type Vendor } from './vendor/index.ts'
import { channels, slugOf } from './world/channels.ts'
import { administrator, customer } from './world/people.ts'

const seed = 20_261_127

export type DemoPlace = { folder: string; databaseUrl: string | undefined }

export type Login = { role: string; username: string; password: string }

export type Demo = {
  url: string
  record: DemoRecord
  logins: { root: Login; administrator: Login; customer: Login }
  server: DemoServer
  close(): Promise<void>
}

const refusingSlugs = channels.filter(each => each.isFailing).map(({ name }) => slugOf(name))

/** The channels know the vendor by its port, so the last one is taken again. */
const openVendor = async (port: number, clock: SharedClock): Promise<Vendor> => {
  const options = {
    refuses: refusingSlugs,
    now: () => Math.floor(clock.seconds ?? Date.now() / 1_000),
    isPaced: () => clock.seconds === undefined,
  }
  try {
    return await startVendor({ ...options, port })
  } catch (error) {
    if (port === 0) throw error
    return startVendor({ ...options, port: 0 })
  }
}

const fillAnew = async (
  { folder, databaseUrl }: DemoPlace,
  vendor: Vendor,
  {
    clock,
    fingerprint,
    report,
  }: { clock: SharedClock; fingerprint: string; report(line: string): void },
): Promise<DemoRecord> => {
  emptyFolder(folder)
  if (databaseUrl) await emptyDatabase(databaseUrl)
  const passwords = { root: newPassword(), administrator: newPassword(), customers: newPassword() }
  const accessToken = randomBytes(24).toString('hex')
  const filledAt = Math.floor(Date.now() / 1_000)
  const where = {
    dataDir: folder,
    databaseUrl,
    rootPassword: passwords.root,
    accessToken,
    vendorUrl: vendor.url,
  }
  const { keys } = await fill({
    ...{ ...where, seed, end: filledAt, clock, passwords, report },
  })
  const vendorPort = vendor.port
  const record = { fingerprint, databaseUrl, filledAt, vendorPort, accessToken, passwords, keys }
  writeRecord(folder, record)
  return record
}

export type OpenOptions = DemoPlace & {
  isFresh?: boolean
  /** Fills only. */
  isFillOnly?: boolean
  /** Makes new calls all the time. */
  isLive?: boolean
  port: number
  report(line: string): void
}

/** Returns the data of the demo, filled anew where the last ones do not fit. */
const prepare = async (
  options: OpenOptions,
  clock: SharedClock,
): Promise<{ record: DemoRecord; vendor: Vendor }> => {
  const { folder, databaseUrl, isFresh = false, report } = options
  checkFolder(folder)
  if (databaseUrl) await checkDatabase(databaseUrl)
  const fingerprint = fingerprintOf(seed)
  const last = readRecord(folder)
  const isFitting = last?.fingerprint === fingerprint && last.databaseUrl === databaseUrl
  const vendor = await openVendor(last?.vendorPort ?? 0, clock)
  try {
    if (last && isFitting && !isFresh) return { record: last, vendor }
    report('Filling the demo, which takes up to a minute …')
    return { record: await fillAnew(options, vendor, { clock, fingerprint, report }), vendor }
  } catch (error) {
    await vendor.close()
    throw error
  }
}

const loginsOf = ({ passwords }: DemoRecord): Demo['logins'] => ({
  root: { role: 'root', username: 'root', password: passwords.root },
  administrator: {
    ...{ role: 'administrator', username: administrator.username },
    password: passwords.administrator,
  },
  customer: { role: 'customer', username: customer.username, password: passwords.customers },
})

/** Fills where needed, and serves the demo. Undefined: it was only to be filled. */
export const openDemo = async (options: OpenOptions): Promise<Demo | undefined> => {
  const clock: SharedClock = { seconds: undefined }
  const { record, vendor } = await prepare(options, clock)
  if (options.isFillOnly) {
    await vendor.close()
    return undefined
  }
  const server = await startServer(options, vendor).catch(async error => {
    await vendor.close()
    throw error
  })
  await adoptAddresses(server.url, record, vendor, options.folder)
  const traffic = options.isLive ? startTraffic(server.url, record.keys) : undefined
  const close = async () => {
    await traffic?.stop()
    await server.stop()
    await vendor.close()
  }
  return { url: server.url, record, logins: loginsOf(record), server, close }
}

/** The site knows its own address, and its channels that of the vendor. Both may have changed since the last start. */
const adoptAddresses = async (
  url: string,
  record: DemoRecord,
  vendor: Vendor,
  folder: string,
): Promise<void> => {
  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${record.accessToken}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    return response.json() as Promise<{ data: { data: { id: number; name: string }[] } }>
  }
  await api('PUT', '/api/option/', { key: 'ServerAddress', value: url })
  await api('PUT', '/api/option/', { key: 'LocalTrialEnabled', value: 'true' })
  if (vendor.port === record.vendorPort) return
  const { data } = await api('GET', '/api/channel/?size=100')
  for (const { id, name } of data.data)
    await api('PUT', '/api/channel/', { id, base_url: `${vendor.url}/${slugOf(name)}` })
  record.vendorPort = vendor.port
  writeRecord(folder, record)
}
