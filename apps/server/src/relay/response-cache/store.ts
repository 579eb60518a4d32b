import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { type BoundedCache, makeBoundedCache } from './bounded-cache.ts'

/** A whole answer as its caller received it. */
export type CachedAnswer = { status: number; type: string; body: Buffer }

const localAnswers = appScoped((app): BoundedCache<string> => makeBoundedCache(app.monotonic))

const stateKey = (key: string) => `response-cache:${key}`

/** Finds an answer in Redis, or in the memory of this process where there is none. Never throws. */
export const findAnswer = async (app: App, key: string): Promise<CachedAnswer | undefined> => {
  try {
    const sealed = app.env.redisUrl
      ? await app.state.recall(stateKey(key))
      : localAnswers(app).get(key)
    if (sealed === undefined) return undefined
    const { status, type, body } = JSON.parse(app.seal.open('response-cache', key, sealed))
    return { status, type, body: Buffer.from(body, 'base64') }
  } catch (error) {
    app.log.warn({ err: error }, 'a cached answer could not be read')
    return undefined
  }
}

/** Stores an answer, encrypted. Never throws. */
export const storeAnswer = async (app: App, key: string, answer: CachedAnswer): Promise<void> => {
  const { ChatCacheExpireMinute, ChatCacheEntriesMax, ChatCacheMegabytesMax } =
    app.settings().responseCache
  const text = JSON.stringify({ ...answer, body: answer.body.toString('base64') })
  const seconds = ChatCacheExpireMinute * 60
  try {
    const sealed = app.seal.seal('response-cache', key, text)
    if (app.env.redisUrl) return await app.state.remember(stateKey(key), sealed, seconds)
    const bounds = { entriesMax: ChatCacheEntriesMax, bytesMax: ChatCacheMegabytesMax * 1_048_576 }
    localAnswers(app).set(key, sealed, { ...bounds, size: sealed.length, seconds })
  } catch (error) {
    app.log.warn({ err: error }, 'an answer could not be cached')
  }
}
