import { Fault, type TestKind } from '@hub/contract'
import { callOperations } from '@hub/contract/call-operations'
import { callerFormats } from '@hub/dialects'
import type { App } from '../core/app.ts'
import { storeModelTest } from '../db/queries/channel-checks.ts'
import { findChannel, recordTest } from '../db/queries/relay-channels.ts'
import {
  type Channel,
  decodeChannel,
  servesModel,
  unusableProvider,
  upstreamModelOf,
} from '../relay/channels/channel.ts'
import type { ChannelKey } from '../relay/channels/keys.ts'
import { disable, disableKey, reportEmptyAccount } from '../relay/channels/status.ts'
import { operationOfModel } from '../relay/model-list/model-operation.ts'
import { isPosted, operations, type PostedOperation } from '../relay/operations/table.ts'
import { type Probe, probe } from './probe.ts'
import { type Sample, type SampleFailure, sendSample } from './send-sample.ts'

/** Keys of one channel that are tested until one is not refused. */
const keysMax = 10

/** `ms` is 0 where there was no call. Kind `none` means that there was no test at all. */
export type TestResult =
  | { ok: true; model: string; ms: number; kind: TestKind }
  | ({ ok: false } & SampleFailure)

/** Like `testChannel`, but throws `channel.test_failed` when the channel does not answer. `time` is in seconds. */
export const testChannelOrThrow = async (
  app: App,
  id: number,
  params: { model?: string | undefined; fingerprint?: string | undefined },
) => {
  const result = await testChannel(app, id, params)
  if (result.ok) return { time: result.ms / 1_000, model: result.model, kind: result.kind }
  throw new Fault('channel.test_failed', { cause: result.fault, hint: result.reason })
}

/**
 * Tests a channel, also a disabled one, with one small request that is not charged, and stores its result. A refused
 * key is disabled, and a channel without another, if `AutomaticDisableChannelEnabled` is set. Throws `resource.missing`,
 * `provider.unknown`, `request.invalid`, and `channel.test_failed` when there is no model to test with.
 */
export const testChannel = async (
  app: App,
  id: number,
  { model: requestedModel, fingerprint }: Parameters<typeof testChannelOrThrow>[2] = {},
): Promise<TestResult> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  if (row.key_count === 0) throw new Fault('channel.key_missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw unusableProvider(row.type)
  const model = requestedModel || chooseModel(channel)
  if (!model) throw new Fault('channel.test_failed', { hint: 'Name a model to test with.' })
  const startedAt = app.monotonic()
  const { kind, failure } = await callKeys(app, channel, { model, fingerprint })
  const at = Math.floor(app.now() / 1_000)
  if (failure) {
    // PostgreSQL refuses NUL in a text.
    const error = (failure.reason || failure.fault.message).replaceAll('\0', '')
    await recordTest(app.db, id, { at, kind, error })
    await storeModelTest(app.db, { channel_id: id, model, at, ms: 0, error, kind })
    return { ok: false, ...failure }
  }
  // A list that was read tells nothing about the speed of a call.
  const ms = kind === 'call' ? Math.max(1, Math.round(app.monotonic() - startedAt)) : 0
  await recordTest(app.db, id, { at, kind, ms })
  await storeModelTest(app.db, { channel_id: id, model, at, ms, error: '', kind })
  return { ok: true, model, ms, kind }
}

/** The test model where the channel serves it, else the first model that a call can test free of charge. */
export const chooseModel = (channel: Channel): string | undefined => {
  if (channel.testModel && servesModel(channel, channel.testModel)) return channel.testModel
  const names = channel.models.filter(each => !each.endsWith('*'))
  return names.find(each => sampleOf(channel, each)) ?? names[0]
}

/** The small call that tests a model free of charge. Undefined: the vendor would charge for it, or serves no such call. */
const sampleOf = (channel: Channel, model: string): Sample | undefined => {
  const id = operationOfModel(upstreamModelOf(channel, model))
  const { serves, unavailableReason } = channel.provider
  return isPosted(id) && (serves[id] || unavailableReason) ? makeSample(id) : undefined
}

/** The cheapest request of an operation. Those that make images or need a file have none. */
const makeSample = (id: PostedOperation): Sample | undefined => {
  const { formats, testFields } = callOperations[id]
  const { format, request } = formats[0]!
  if (!request || !testFields) return undefined
  const body = { ...request('hi'), ...testFields }
  return { operation: operations[id], dialect: callerFormats[format], body }
}

type KeyTest = { model: string; fingerprint: string | undefined }

/**
 * Tests the channel's keys one after the other until one is not refused, or the given one alone. Refused keys are
 * disabled, if the operator wants that. Without a failure the channel answered, or nothing could be read.
 */
const callKeys = async (
  app: App,
  channel: Channel,
  { model, fingerprint }: KeyTest,
): Promise<Probe> => {
  const keys =
    fingerprint === undefined
      ? channel.keys.slice(0, keysMax)
      : channel.storedKeys.filter(each => each.fingerprint.startsWith(fingerprint))
  if (keys.length === 0) throw new Fault('resource.missing')
  const mayDisable = app.settings().channels.AutomaticDisableChannelEnabled
  let tested: Probe = { kind: 'none' }
  for (const key of keys) {
    tested = await callModel(app, channel, key, model)
    if (tested.failure?.fault.code === 'upstream.funds')
      await reportEmptyAccount(app, channel, tested.failure.reason)
    if (!tested.failure?.isRefused) return tested
    if (!mayDisable) continue
    const { reason, fault, status } = tested.failure
    const evidence = { reason, model, code: fault.code, httpStatus: status }
    if (channel.storedKeys.length > 1)
      await disableKey(app, channel, key, { cause: 'test', ...evidence })
    else await disable(app, channel, { cause: 'test', ...evidence })
  }
  return tested
}

/** One test call with one key, or the reading of a list where every call is charged. */
export const callModel = async (
  app: App,
  channel: Channel,
  key: ChannelKey,
  model: string,
): Promise<Probe> => {
  const sample = sampleOf(channel, model)
  if (!sample) return probe(app, channel, key)
  const result = sample.dialect.read(Buffer.from(JSON.stringify({ model, ...sample.body })))
  if (!result.ok) throw new Fault('request.invalid', { hint: result.hint })
  try {
    const sent = await sendSample(app, { channel, key }, { ...sample, request: result.parsed })
    return { kind: 'call', ...(sent.failure && { failure: sent.failure }) }
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    return { kind: 'call', failure: { fault, reason: fault.message, isRefused: false } }
  }
}
