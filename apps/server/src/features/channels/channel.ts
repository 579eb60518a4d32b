import { type ChannelFields, type ChannelSecret, channelSecrets, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { Database } from '../../db/index.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import * as rows from '../../db/queries/channels.ts'
import { listSymbols } from '../../db/queries/groups.ts'
import { unusableProvider } from '../../relay/channels/channel.ts'
import { openSecret, sealSecret } from '../../relay/channels/secrets.ts'

export const sealedAt = (id: number) => `channels.key_sealed:${id}`

export const getChannel = async (db: Database, id: number) => required(await rows.find(db, id))

/** Splits the text into one key per line. A service account in JSON is one key with many lines. */
export const parseKeys = (text: string): string[] => {
  if (text.trimStart().startsWith('{')) return [text.trim()]
  const lines = text.split('\n').map(line => line.trim())
  return [...new Set(lines.filter(Boolean))]
}

export const sealKeys = (app: App, keys: string[]) => (id: number) =>
  app.seal.seal('channel-key', sealedAt(id), JSON.stringify(keys))

export const openKeys = (app: App, { id, key_sealed }: rows.ChannelRow): string[] =>
  JSON.parse(app.seal.open('channel-key', sealedAt(id), key_sealed))

/** Returns a keyed hash, by which a channel is found without storing its keys in the clear. */
export const fingerprintKeys = (app: App, keys: string[]): string =>
  app.seal.fingerprint('channel-key', keys.join('\n'))

export const requireProvider = (type: number) => {
  if (!providerOf(type)) throw unusableProvider(type)
}

/** Throws when neither the channel nor its type has an address. */
export const requireAddress = ({ type, base_url }: { type: number; base_url: string }) => {
  if (base_url !== '' || providerOf(type)?.baseUrl !== '') return
  const hint = '`base_url`: enter an address, because this channel type has no default.'
  throw new Fault('request.invalid', { hint })
}

/** Throws `group.unknown` unless every group of the list exists. */
export const requireGroups = async (db: Database, group: string): Promise<void> => {
  const known = new Set(await listSymbols(db))
  const unknown = normalizeList(group)
    .split(',')
    .find(each => !known.has(each))
  if (unknown !== undefined)
    throw new Fault('group.unknown', { hint: `\`group\`: there is no group “${unknown}”.` })
}

type Secrets = { [K in ChannelSecret]?: string | null | undefined }

/** The encrypted columns of the given secrets. An absent one is left out, null becomes empty. */
export const sealSecrets = (
  app: App,
  id: number,
  secrets: Secrets,
): { [K in ChannelSecret]?: string } =>
  Object.fromEntries(
    channelSecrets
      .filter(name => secrets[name] !== undefined)
      .map(name => [name, sealSecret(app, name, id, secrets[name] ?? '')]),
  )

export const openSecrets = (app: App, row: rows.ChannelRow): Record<ChannelSecret, string> => ({
  proxy: openSecret(app, row, 'proxy'),
  model_headers: openSecret(app, row, 'model_headers'),
  custom_parameter: openSecret(app, row, 'custom_parameter'),
})

/** All encrypted columns of a new row. */
export const sealAll =
  (app: App, keys: string[], secrets: Record<ChannelSecret, string>) =>
  (id: number): rows.SealedColumns => ({
    key_sealed: sealKeys(app, keys)(id),
    proxy: sealSecret(app, 'proxy', id, secrets.proxy),
    model_headers: sealSecret(app, 'model_headers', id, secrets.model_headers),
    custom_parameter: sealSecret(app, 'custom_parameter', id, secrets.custom_parameter),
  })

type Fields = Omit<z.output<typeof ChannelFields>, ChannelSecret>
type Columns<F extends Partial<Fields>> = {
  [K in keyof F]: F[K] extends boolean | undefined
    ? number
    : F[K] extends string | number | undefined
      ? Exclude<F[K], undefined>
      : string
}

/** Converts the fields of a body to columns: flags to 0 and 1, lists and objects to JSON. Absent fields are left out. */
export const toColumns = <F extends Partial<Fields>>(fields: F): Columns<F> => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([key, value]) => [key, toColumn(key, value)])) as Columns<F>
}

const toColumn = (key: string, value: unknown): unknown => {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'object') return JSON.stringify(value)
  return key === 'models' || key === 'group' ? normalizeList(String(value)) : value
}

const normalizeList = (text: string): string =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
    .join(',')

/** Changes channels in a transaction and notifies all nodes when any changed. Returns the number of changed channels. */
export const changeChannels = (
  app: App,
  work: (tx: Database) => Promise<number>,
): Promise<number> =>
  app.db.transaction().execute(async tx => {
    const changed = await work(tx)
    if (changed > 0) await announceChange(tx)
    return changed
  })
