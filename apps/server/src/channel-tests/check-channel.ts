import {
  type CheckEvent,
  type CheckedFeature,
  type CheckResult,
  checkedFeatures,
  Fault,
} from '@hub/contract'
import { type ChatAnswer, openaiChat } from '@hub/dialects'
import type { App } from '../core/app.ts'
import { storeCheck } from '../db/queries/channel-checks.ts'
import { findChannel } from '../db/queries/relay-channels.ts'
import {
  type Channel,
  decodeChannel,
  unusableProvider,
  upstreamModelOf,
} from '../relay/channels/channel.ts'
import { operationOfModel } from '../relay/model-list/model-operation.ts'
import { chat } from '../relay/operations/chat.ts'
import { featureSamples, type Judge } from './feature-samples.ts'
import { sendSample } from './send-sample.ts'

const heartbeatMs = 10_000

type CheckScope = { models: readonly string[]; features?: readonly CheckedFeature[] | undefined }

/**
 * Tries each feature of each model with one small request, one after the other, and stores the results, also those of a
 * check that is left early. Nothing is charged to a user. It changes no state of the channel.
 */
export async function* checkChannel(
  app: App,
  id: number,
  { models, features = checkedFeatures }: CheckScope,
): AsyncGenerator<CheckEvent> {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  if (row.key_count === 0) throw new Fault('channel.key_missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw unusableProvider(row.type)
  const results: CheckResult[] = []
  try {
    for (const model of models)
      for (const feature of features) {
        const running = checkFeature(app, channel, model, feature)
        yield* heartbeatsUntil(running)
        const result = await running
        results.push(result)
        yield { type: 'result', data: result }
      }
    yield { type: 'done', data: 'completed' }
  } finally {
    if (results.length > 0)
      await storeCheck(app.db, id, {
        at: Math.floor(app.now() / 1_000),
        results: JSON.stringify(results),
      })
  }
}

/** Emits a heartbeat now and then, until the work has ended. */
async function* heartbeatsUntil(work: Promise<unknown>): AsyncGenerator<CheckEvent> {
  const ended = work.then(
    () => true,
    () => true,
  )
  for (;;) {
    const pause = Promise.withResolvers<false>()
    const timer = setTimeout(() => pause.resolve(false), heartbeatMs)
    const isEnded = await Promise.race([ended, pause.promise])
    clearTimeout(timer)
    if (isEnded) return
    yield { type: 'heartbeat', data: 'ping' }
  }
}

const checkFeature = async (
  app: App,
  channel: Channel,
  model: string,
  feature: CheckedFeature,
): Promise<CheckResult> => {
  const startedAt = app.monotonic()
  const outcome = await tryFeature(app, channel, model, feature)
  const milliseconds = Math.round(app.monotonic() - startedAt)
  return { model, feature, passed: outcome.reason === null, ...outcome, milliseconds }
}

type FeatureOutcome = Pick<CheckResult, 'reason' | 'detail'>

const tryFeature = async (
  app: App,
  channel: Channel,
  model: string,
  feature: CheckedFeature,
): Promise<FeatureOutcome> => {
  if (operationOfModel(upstreamModelOf(channel, model)) !== 'chat')
    return { reason: 'not_chat', detail: '' }
  const { body, judge } = featureSamples[feature]
  const read = openaiChat.read(Buffer.from(JSON.stringify({ model, ...body })))
  if (!read.ok) throw new Fault('request.invalid', { hint: read.hint })
  try {
    const sample = { operation: chat, dialect: openaiChat, body, request: read.parsed }
    const answer = await sendSample(app, { channel, key: channel.keys[0]! }, sample)
    if (answer.failure) return { reason: 'refused', detail: withoutNul(answer.failure.reason) }
    return judgeAnswer(answer, judge)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { reason: 'refused', detail: withoutNul(error.message) }
  }
}

/** PostgreSQL refuses NUL in a text. */
const withoutNul = (text: string) => text.replaceAll('\0', '')

type CheckedAnswer = Extract<Awaited<ReturnType<typeof sendSample>>, { failure: undefined }>

const judgeAnswer = ({ body, dialect, isStream }: CheckedAnswer, judge: Judge): FeatureOutcome => {
  const decoded = decodeAnswer(body, dialect)
  const reason = judge({ answer: decoded, isStream })
  return { reason, detail: '' }
}

const decodeAnswer = (body: Buffer, dialect: CheckedAnswer['dialect']): ChatAnswer => {
  const decode = 'decodeAnswer' in dialect ? dialect.decodeAnswer : undefined
  if (typeof decode !== 'function') throw new Fault('upstream.invalid_response')
  return (decode as (body: unknown) => ChatAnswer)(JSON.parse(body.toString()))
}
