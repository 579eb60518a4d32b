import { Fault } from '@hub/contract'
import {
  jinaRerank,
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiModerations,
  openaiSpeech,
} from '@hub/dialects'
import type { App } from '../core/app.ts'
import { storeModelTest } from '../db/queries/channel-checks.ts'
import { findChannel, recordTest } from '../db/queries/relay-channels.ts'
import {
  type Channel,
  decodeChannel,
  unusableProvider,
  upstreamModelOf,
} from '../relay/channels/channel.ts'
import type { ChannelKey } from '../relay/channels/keys.ts'
import { disable, disableKey } from '../relay/channels/status.ts'
import { type ModelOperation, operationOfModel } from '../relay/model-list/model-operation.ts'
import { chat } from '../relay/operations/chat.ts'
import { completions, embeddings, moderations, rerank, speech } from '../relay/operations/plain.ts'
import { type Sample, type SampleFailure, sendSample } from './send-sample.ts'

/** Keys of one channel that are tested until one is not refused. */
const keysMax = 10

export type TestResult = { ok: true; model: string; ms: number } | ({ ok: false } & SampleFailure)

/** Like `testChannel`, but throws `channel.test_failed` when the channel does not answer. `time` is in seconds. */
export const testChannelOrThrow = async (
  app: App,
  id: number,
  params: { model?: string | undefined; fingerprint?: string | undefined },
) => {
  const result = await testChannel(app, id, params)
  if (result.ok) return { time: result.ms / 1_000, model: result.model }
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
  const model =
    requestedModel || channel.testModel || channel.models.find(each => !each.endsWith('*'))
  if (!model) throw new Fault('channel.test_failed', { hint: 'Name a model to test with.' })
  const startedAt = app.monotonic()
  const failure = await callKeys(app, channel, { model, fingerprint })
  const at = Math.floor(app.now() / 1_000)
  if (failure) {
    // PostgreSQL refuses NUL in a text.
    const error = (failure.reason || failure.fault.message).replaceAll('\0', '')
    await recordTest(app.db, id, { at, error })
    await storeModelTest(app.db, { channel_id: id, model, at, ms: 0, error })
    return { ok: false, ...failure }
  }
  const ms = Math.max(1, Math.round(app.monotonic() - startedAt))
  await recordTest(app.db, id, { at, ms })
  await storeModelTest(app.db, { channel_id: id, model, at, ms, error: '' })
  return { ok: true, model, ms }
}

/** The cheapest request of each operation. Those that make images or need a file have none. */
const samples: Partial<Record<ModelOperation, Sample>> = {
  chat: {
    operation: chat,
    dialect: openaiChat,
    body: { messages: [{ role: 'user', content: 'Answer with the word "hi".' }] },
  },
  embeddings: { operation: embeddings, dialect: openaiEmbeddings, body: { input: 'hi' } },
  completions: {
    operation: completions,
    dialect: openaiCompletions,
    body: { prompt: 'hi', max_tokens: 1 },
  },
  rerank: {
    operation: rerank,
    dialect: jinaRerank,
    body: { query: 'hi', documents: ['hello', 'bye'] },
  },
  moderations: { operation: moderations, dialect: openaiModerations, body: { input: 'hi' } },
  speech: { operation: speech, dialect: openaiSpeech, body: { input: 'hi', voice: 'alloy' } },
}

type KeyTest = { model: string; fingerprint: string | undefined }

/**
 * Tests the channel's keys one after the other until one is not refused, or the given one alone. Refused keys are
 * disabled, if the operator wants that. Undefined when the channel answered.
 */
const callKeys = async (
  app: App,
  channel: Channel,
  { model, fingerprint }: KeyTest,
): Promise<SampleFailure | undefined> => {
  const keys =
    fingerprint === undefined
      ? channel.keys.slice(0, keysMax)
      : channel.storedKeys.filter(each => each.fingerprint.startsWith(fingerprint))
  if (keys.length === 0) throw new Fault('resource.missing')
  const mayDisable = app.settings().channels.AutomaticDisableChannelEnabled
  let failure: SampleFailure | undefined
  for (const key of keys) {
    failure = await callModel(app, channel, key, model)
    if (!failure?.isRefused) return failure
    if (!mayDisable) continue
    const { reason, fault, status } = failure
    const evidence = { reason, model, code: fault.code, httpStatus: status }
    if (channel.storedKeys.length > 1)
      await disableKey(app, channel, key, { cause: 'test', ...evidence })
    else await disable(app, channel, { cause: 'test', ...evidence })
  }
  return failure
}

const callModel = async (
  app: App,
  channel: Channel,
  key: ChannelKey,
  model: string,
): Promise<SampleFailure | undefined> => {
  const name = operationOfModel(upstreamModelOf(channel, model))
  const sample = samples[name]
  if (!sample)
    throw new Fault('channel.test_failed', {
      hint: `A test of '${model}' would be charged as ${name}. Name another model to test with.`,
    })
  const result = sample.dialect.read(Buffer.from(JSON.stringify({ model, ...sample.body })))
  if (!result.ok) throw new Fault('request.invalid', { hint: result.hint })
  try {
    const sent = await sendSample(app, { channel, key }, { ...sample, request: result.parsed })
    return sent.failure
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    return { fault, reason: fault.message, isRefused: false }
  }
}
