import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Database, OtherNodes } from '../index.ts'
import * as nodes from '../queries/nodes.ts'
import { recoverEpoch } from './recover.ts'
import type { Writer } from './writer.ts'

export type NodeLease = OtherNodes & {
  /** Looks for other nodes at once. */
  lookNow(): void
  stop(): Promise<void>
}

type NodeLeaseOptions = {
  db: Database
  writer: Writer
  log: Logger
  heartbeatSeconds: number
  /** A node whose heartbeat is unchanged for this long is dead. Measured locally, while our own heartbeats succeed. */
  takeoverSeconds: number
}

/** Knows for how long the heartbeat of each other node has not changed. */
const makeSilence = (takeoverMs: number) => {
  const seen = new Map<number, { heartbeat: number; since: number }>()
  return {
    isOver: (epoch: number, heartbeat: number, now: number): boolean => {
      const last = seen.get(epoch)
      if (last?.heartbeat === heartbeat) return now - last.since >= takeoverMs
      seen.set(epoch, { heartbeat, since: now })
      return false
    },
    forget: (epoch: number) => void seen.delete(epoch),
    forgetAll: () => seen.clear(),
  }
}

/** A lone node renews its lease this often within the takeover time, so that two heartbeats may fail. */
const aloneHeartbeats = 3

/**
 * Renews the lease of this node with heartbeats, and takes over the open holds of nodes whose lease expired. Heartbeats
 * are rare while there is no other node that could miss them.
 */
export const startNodeLease = ({
  db,
  writer,
  log,
  heartbeatSeconds,
  takeoverSeconds,
}: NodeLeaseOptions): NodeLease => {
  const aloneSeconds = Math.max(heartbeatSeconds, takeoverSeconds / aloneHeartbeats)
  const listeners: (() => void)[] = []
  let isAlone = false
  let hasOthers = false
  const silence = makeSilence(takeoverSeconds * 1000)
  let ticking: Promise<void> | undefined

  const poll = async () => {
    const now = performance.now()
    const others = await nodes.listUnfinished(db, writer.epoch)
    const hasJoined = !hasOthers && others.length > 0
    hasOthers = others.length > 0
    isAlone = !hasOthers
    if (hasJoined) for (const listener of listeners) listener()
    for (const { epoch, heartbeat, state } of others) {
      const isDead =
        state === 'dead' ||
        (silence.isOver(epoch, heartbeat, now) && (await nodes.expire(db, epoch, heartbeat)))
      if (!isDead) continue
      log.warn({ epoch }, 'taking over the open holds of a dead node')
      await recoverEpoch(db, writer, epoch)
      silence.forget(epoch)
    }
  }

  const tick = async () => {
    const { epoch } = writer
    try {
      if (await nodes.renewLease(db, epoch)) await poll()
      else await writer.renew(epoch)
    } catch (error) {
      // While our own heartbeats fail, unchanged heartbeats of other nodes prove nothing.
      silence.forgetAll()
      isAlone = false
      log.warn({ err: error }, 'the heartbeat failed')
    }
  }

  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const schedule = () => {
    clearTimeout(timer)
    if (isStopped) return
    const seconds = isAlone ? aloneSeconds : heartbeatSeconds
    timer = setTimeout(run, seconds * 1000).unref()
  }
  const run = () => {
    if (isStopped) return
    ticking ??= tick().finally(() => {
      ticking = undefined
      schedule()
    })
  }
  schedule()

  return {
    isAlone: () => isAlone,
    onJoined: listener => void listeners.push(listener),
    // A look that is under way may have read before the other node came.
    lookNow: () => void Promise.resolve(ticking).then(run),
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await ticking
    },
  }
}
