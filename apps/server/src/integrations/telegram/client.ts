import { setTimeout as wait } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import { Api, type ApiClientOptions, GrammyError, HttpError } from 'grammy'

export type TelegramFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<{ json(): Promise<unknown> }>

export type TelegramClient = {
  token: string
  apiRoot: string
  fetch: TelegramFetch
}

/** A long poll asks Telegram to wait this long. One Hub's value. */
export const pollSeconds = 9
/** A call that takes longer has failed; above `pollSeconds`, and far below the time in which a node is declared dead. */
const callSeconds = 15
const retriesMax = 3
/** Telegram may ask for minutes. Then the call fails, and the person asks again. */
const retryAfterSecondsMax = 10

/** The options of grammY, with the given way to send requests. */
export const clientOptions = ({ apiRoot, fetch }: TelegramClient): ApiClientOptions => {
  // grammY brings signals of its own, which no other implementation of fetch accepts.
  const send = (url: string, init: RequestInit) => {
    const cancelled = new AbortController()
    init.signal?.addEventListener('abort', () => cancelled.abort())
    const headers = init.headers as Record<string, string>
    const call = { method: init.method ?? 'POST', headers, body: String(init.body ?? '') }
    return fetch(url, { ...call, signal: cancelled.signal })
  }
  return {
    apiRoot,
    timeoutSeconds: callSeconds,
    fetch: send as unknown as NonNullable<ApiClientOptions['fetch']>,
  }
}

/** Waits as long as Telegram asks. https://core.telegram.org/bots/api#responseparameters */
const obeyRetryAfter = (api: Api): Api => {
  api.config.use(async (call, method, payload, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call(method, payload, signal)
      const seconds = answer.ok ? undefined : answer.parameters?.retry_after
      if (seconds === undefined || seconds > retryAfterSecondsMax || attempt > retriesMax)
        return answer
      await wait(seconds * 1000, undefined, { signal: signal as AbortSignal | undefined })
    }
  })
  return api
}

/** Asks before each call, also before one that is repeated. False: another node runs the bot by now. */
export type MayCall = () => Promise<boolean>

/** Gives an API or a bot's API what each call needs. */
export const prepareCalls = (api: Api, mayCall?: MayCall): Api => {
  // The first transformer of grammY is the innermost one, so that each repetition of a call passes it.
  if (mayCall)
    api.config.use(async (call, ...request) => {
      if (!(await mayCall()))
        throw new Fault('telegram.off', { hint: 'Another node runs it by now.' })
      return call(...request)
    })
  return obeyRetryAfter(api)
}

export const makeTelegramApi = (client: TelegramClient, mayCall?: MayCall): Api =>
  prepareCalls(new Api(client.token, clientOptions(client)), mayCall)

/** Telegram understood the call and refused it: it would refuse a repetition too. */
export const isRefusal = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.error_code !== 429 && error.error_code < 500

/** One line for an administrator. It never contains the token, which is part of every address. */
export const errorLine = (error: unknown): string => {
  if (error instanceof GrammyError) return `${error.method}: ${error.description}`
  if (error instanceof HttpError) return `${error.message} ${causeOf(error.error)}`.trim()
  return error instanceof Error ? error.message : String(error)
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined
  if (cause instanceof Fault) return cause.message
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}
