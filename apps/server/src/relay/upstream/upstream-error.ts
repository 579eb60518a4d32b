import {
  failureStatusOf,
  includesWords,
  type UpstreamFormat,
  withoutGeneration,
} from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import type { Attempt, CallContext } from '../context.ts'
import { classifyError, type ErrorClassification } from './classify-error.ts'
import { scrub } from './scrub.ts'

/** The request that an upstream refused. */
export type ErrorSource = {
  requestBody: Buffer
  /** The upstream's. */
  dialect: UpstreamFormat
  channel: Channel
  credential: string
}

export type ErrorAnswer = {
  body: Buffer
  /** Absent for an error inside a stream: then the error's code decides. */
  status?: number
  retryAfterSeconds?: number | undefined
}

/** Classifies an upstream's error body. The body is scrubbed first, since the result is logged, stored and audited. */
export const classifyUpstreamError = (
  app: App,
  source: ErrorSource,
  { body, status, retryAfterSeconds }: ErrorAnswer,
): ErrorClassification => {
  const { dialect, channel, credential, requestBody } = source
  const { channels, retry } = app.settings()
  const decoded = dialect.decodeFault(scrub(body, source))
  // A caller of another dialect gets these words, which are not charged.
  const error = { ...decoded, message: withoutGeneration(decoded.message) }
  const own = status ?? statusFromCode(error)
  const mapped = channel.statusCodes?.get(own)
  const classified = classifyError(
    {
      status: mapped ?? own,
      ...error,
      retryAfterSeconds:
        retryAfterSeconds ?? error.retryAfterSeconds ?? retryDelayFromText(error.message),
    },
    {
      vendorRules: channel.provider.errorRules,
      keywords: channels.DisableChannelKeywords.split('\n').map(each => each.trim()),
      cooldownSeconds: retry.RetryCooldownSeconds,
      credential,
      isEchoed: phrase => includesWords(requestBody, phrase),
    },
  )
  return mapped === undefined ? classified : withStatus(classified, { own, mapped })
}

/** The caller gets the status that the channel has for the upstream's; the log keeps the upstream's own. */
const withStatus = (
  { fault, ...rest }: ErrorClassification,
  { own, mapped }: { own: number; mapped: number },
): ErrorClassification => ({
  ...rest,
  fault: fault.withStatus(mapped),
  upstreamStatus: own,
})

/** Classifies an error that an upstream reported inside an answer of status 200. */
export const classifyStreamError = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  failure: unknown,
): ErrorClassification =>
  classifyUpstreamError(app, errorSource(context, attempt), {
    body: Buffer.from(JSON.stringify(failure)),
  })

export const errorSource = (
  { parsed, dialect }: CallContext,
  { translation, channel, key }: Attempt,
): ErrorSource => ({
  requestBody: parsed.body,
  dialect: translation?.to ?? dialect,
  channel,
  credential: key.credential,
})

/** The HTTP status that a vendor's error code or type stands for; 500 where it is unknown. */
export const statusFromCode = ({ type, code }: { type: string; code: string }): number => {
  const number = Number(code)
  if (Number.isInteger(number) && number >= 400 && number < 600) return number
  return failureStatusOf(code, type) ?? 500
}

const retryDelay = /\b(?:try again|retry) in (\d+(?:\.\d+)?) ?(ms|s)\b/i

/** Reads the delay out of "try again in 1.5s" (OpenAI) and "retry in 34.4s" (Google), in seconds. */
export const retryDelayFromText = (message: string): number | undefined => {
  const [, number, unit] = retryDelay.exec(message) ?? []
  if (number === undefined) return undefined
  return Number(number) / (unit === 'ms' ? 1_000 : 1)
}
