import type { Database, Store } from '../db/index.ts'
import * as topics from '../db/queries/topics.ts'
import { endsWithin } from '../lib/time/ends-within.ts'
import { stateCloseMaxMs } from './state.ts'

export type ChangeTopic =
  | 'settings'
  | 'prices'
  | 'costs'
  | 'groups'
  | 'channels'
  | 'tokens'
  | 'owners'
  | 'oauth-providers'
  | 'telegram'
  | 'virtual-models'
  | 'model-info'

type Listener = () => void | Promise<void>

export type ChangeNotifications = {
  /** Calls the listener after any node changed the topic. Returns the function that removes the listener. */
  on(topic: ChangeTopic, listener: Listener): () => void
  /** Announces a change and returns its version. Call it inside the transaction that makes the change. */
  notify(db: Database, topic: ChangeTopic): Promise<number>
  /** Resolves when the listeners of this node have run for every change that was committed before the call. */
  sync(): Promise<void>
  close(): Promise<void>
}

type ChangeNotificationsOptions = {
  pollMilliseconds?: number
  /** Absent: other nodes may change topics at any time. */
  quiet?: Pick<Store, 'nodes' | 'onWrite'>
  /** Reports a failed listener or query; the next poll tries again. */
  onError?(error: unknown): void
}

/** A lone node looks this often for what a program like `reset-password` has changed. */
const aloneMilliseconds = 15_000
/** Polls go on for this long after this node has written a topic: the transaction may be committed later. */
const commitMilliseconds = 10_000
const isRecent = (writtenAt: number) => performance.now() - writtenAt < commitMilliseconds

/**
 * Polls the version numbers of the topics every 300 ms while another node lives, and for a while after a change by
 * this node. A listener that fails is called again at the next poll, so that no change is lost.
 */
export const openChangeNotifications = async (
  db: Database,
  { pollMilliseconds = 300, quiet, onError }: ChangeNotificationsOptions = {},
): Promise<ChangeNotifications> => {
  /** The version that each listener has processed. */
  const listeners = new Map<string, Map<Listener, number>>()
  const versions = new Map<string, number>()
  let writtenAt = Number.NEGATIVE_INFINITY
  let polling: Promise<void> | undefined
  let hasFailed = false

  const runListeners = async (topic: string, version: number) => {
    for (const [listener, processed] of listeners.get(topic) ?? []) {
      if (processed === version) continue
      try {
        await listener()
        listeners.get(topic)?.set(listener, version)
      } catch (error) {
        hasFailed = true
        onError?.(error)
      }
    }
  }

  const poll = async () => {
    hasFailed = false
    try {
      for (const { topic, n } of await topics.listAll(db)) {
        versions.set(topic, n)
        await runListeners(topic, n)
      }
    } catch (error) {
      hasFailed = true
      onError?.(error)
    }
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isFast = true
  const schedule = () => {
    clearTimeout(timer)
    if (isClosed) return
    isFast = hasFailed || isRecent(writtenAt) || !quiet?.nodes.isAlone()
    timer = setTimeout(pollOnce, isFast ? pollMilliseconds : aloneMilliseconds).unref()
  }
  const pollOnce = () => {
    polling ??= poll().finally(() => {
      polling = undefined
      schedule()
    })
    return polling
  }

  await pollOnce()
  quiet?.nodes.onJoined(schedule)
  quiet?.onWrite(['topics'], () => {
    writtenAt = performance.now()
    if (!isFast) schedule()
  })

  return {
    on: (topic, listener) => {
      const ofTopic = listeners.get(topic) ?? new Map()
      listeners.set(topic, ofTopic.set(listener, versions.get(topic) ?? 0))
      return () => ofTopic.delete(listener)
    },
    notify: (tx, topic) => topics.increment(tx, topic),
    sync: async () => {
      // A poll that has already started may have read before the commit.
      await polling
      await pollOnce()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      if (polling) await endsWithin(polling, stateCloseMaxMs)
    },
  }
}
