import type { Database } from '../db/index.ts'
import * as queries from '../db/queries/topics.ts'

export type Topic = 'settings' | 'prices' | 'groups' | 'channels' | 'tokens' | 'users' | 'owners'

export type Topics = {
  /** Called after any node changed something of the topic. Gives back the way to stop listening. */
  on(topic: Topic, listener: () => void | Promise<void>): () => void
  /** Inside the transaction that makes the change. */
  bump(db: Database, topic: Topic): Promise<void>
  /** Resolves when this node has heard of everything that was committed before: who wrote it need not wait for a look. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

type Options = {
  pollMilliseconds?: number
  /** A listener failed, or the database did not answer: the next look tries again. */
  failed?(error: unknown): void
}

/**
 * Looks at the numbers of the topics every 300 ms. A listener that fails is called again at the next look, so that a
 * change is never missed for good.
 */
export const openTopics = async (
  db: Database,
  { pollMilliseconds = 300, failed }: Options = {},
): Promise<Topics> => {
  const listeners = new Map<string, Map<() => void | Promise<void>, number>>()
  const known = new Map<string, number>()
  let looking: Promise<void> | undefined

  const tell = async (topic: string, n: number) => {
    for (const [listener, told] of listeners.get(topic) ?? []) {
      if (told === n) continue
      try {
        await listener()
        listeners.get(topic)?.set(listener, n)
      } catch (error) {
        failed?.(error)
      }
    }
  }

  const look = async () => {
    try {
      for (const { topic, n } of await queries.listAll(db)) {
        known.set(topic, n)
        await tell(topic, n)
      }
    } catch (error) {
      failed?.(error)
    }
  }

  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  await look()
  const timer = setInterval(lookOnce, pollMilliseconds)
  timer.unref()

  return {
    on: (topic, listener) => {
      const of = listeners.get(topic) ?? new Map()
      listeners.set(topic, of.set(listener, known.get(topic) ?? 0))
      return () => of.delete(listener)
    },
    bump: (tx, topic) => queries.bump(tx, topic),
    catchUp: async () => {
      // A look that has begun already may have read before the commit.
      await looking
      await lookOnce()
    },
    close: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
