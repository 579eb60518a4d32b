import { ChannelFields, Fault } from '@hub/contract'
import type { z } from 'zod'
import { nowSeconds } from '../../core/app.ts'
import * as states from '../../db/queries/channel-keys.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import * as rows from '../../db/queries/channels.ts'
import * as counters from '../../db/queries/imported-counters.ts'
import {
  fingerprintKeys,
  requireAddress,
  requireProvider,
  sealAll,
  toColumns,
} from '../../features/channels/channel.ts'
import { initialState } from '../../features/channels/create.ts'
import { storeKeyStates } from '../../features/channels/keys.ts'
import {
  moveHeaders,
  requireCredentials,
  requireFreeField,
  requireOptions,
} from '../../features/channels/provider-fields.ts'
import { makeKeys } from '../../relay/channels/keys.ts'
import type { ImportedChannel } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

/** A channel that cannot serve as it is becomes a disabled one, with the reason. */
export const writeChannels = async (
  context: ImportContext,
  imported: readonly ImportedChannel[],
): Promise<void> => {
  for (const channel of imported) await writeChannel(context, channel)
  await announceChange(context.tx)
}

const writeChannel = async (context: ImportContext, channel: ImportedChannel): Promise<void> => {
  const { app, tx, report } = context
  const { id, used, keys, isEnabled, createdAt, problem, notes = [] } = channel
  const { fields, problems } = readFields(channel)
  problems.push(...(problem === undefined ? problemsOf(fields, keys) : [problem]))
  for (const each of notes) report.change('channels', channelName(channel), each)
  const missing = fields.group.split(',').filter(each => !context.groups.has(each))
  if (missing.length > 0)
    report.change('channels', channelName(channel), `no group ${missing.join(', ')}`)
  const ineffective = [
    () => requireOptions(fields.type, fields.plugin),
    () => requireFreeField(fields.type, fields.other),
  ]
  for (const each of ineffective.flatMap(refusalOf))
    report.change('channels', channelName(channel), each)
  for (const each of problems) report.change('channels', channelName(channel), `disabled: ${each}`)
  const { proxy, custom_parameter, ...given } = fields
  const { model_headers, ...columns } = {
    ...given,
    ...moveHeaders(given.type, given.plugin, given.model_headers),
  }
  const row = {
    ...toColumns(columns),
    ...initialState(app),
    created_time: createdAt,
    status: isEnabled && problems.length === 0 ? 1 : 2,
    key_hash: fingerprintKeys(app, keys),
    key_count: keys.length,
  }
  const secrets = { proxy, model_headers, custom_parameter }
  const newId = await rows.insert(tx, row, sealAll(app, keys, secrets))
  await storeKeyStates(app, tx, newId, keys)
  await disableKeys(context, newId, channel)
  await counters.addChannel(tx, newId, Math.max(0, used))
  report.carry('channels')
  report.channelIds[id] = newId
}

/** A channel without an enabled key is disabled itself, so that the gateway does not enable its keys again. */
const disableKeys = async (
  { app, tx }: ImportContext,
  channelId: number,
  { keys, disabledKeys = [] }: ImportedChannel,
): Promise<void> => {
  const fingerprints = new Map(makeKeys(app, keys).map(each => [each.credential, each.fingerprint]))
  for (const { key, status, reason, at: since } of disabledKeys) {
    const fingerprint = fingerprints.get(key)
    if (fingerprint === undefined || keys.length === 1) continue
    const at = since || nowSeconds(app)
    if (status === 2) await states.setKeyStatus(tx, channelId, fingerprint, { status, at })
    else await states.disableKeyRow(tx, channelId, fingerprint, { reason, at })
  }
}

const channelName = ({ id, fields: { name } }: ImportedChannel) => ({ id, name })

/** The valid fields; an invalid one gets its default and is a problem. */
const readFields = ({ fields }: ImportedChannel) => {
  const problems: string[] = []
  let given: Record<string, unknown> = fields
  for (;;) {
    const read = ChannelFields.safeParse(given)
    if (read.success) return { fields: read.data, problems }
    const { path, message } = read.error.issues[0]!
    const field = String(path[0])
    problems.push(`\`${field}\` ${message}`)
    const { [field]: _invalid, ...rest } = given
    given = field in required ? { ...rest, [field]: required[field] } : rest
  }
}

/** Values of the fields without a default, for a channel that an administrator has to correct. */
const required: Record<string, unknown> = { name: 'imported', models: 'none', type: 8 }

const problemsOf = (fields: z.output<typeof ChannelFields>, keys: readonly string[]): string[] => {
  const checks = [
    () => requireProvider(fields.type),
    () => requireAddress(fields),
    () => requireCredentials(fields.type, keys),
  ]
  if (keys.length === 0) return ['it has no key']
  return checks.flatMap(refusalOf)
}

const refusalOf = (check: () => void): string[] => {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof Fault) return [error.message]
    throw error
  }
}
