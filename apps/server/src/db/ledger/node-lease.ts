import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Database } from '../index.ts'
import * as nodes from '../queries/nodes.ts'
import { recoverEpoch } from './recover.ts'
import type { Writer } from './writer.ts'

export type NodeLease = { stop(): Promise<void> }

type NodeLeaseOptions = {
  db: Database
  writer: Writer
  log: Logger
  heartbeatSeconds: number
  /** A node whose heartbeat is unchanged for this long is dead. Measured locally, while our own heartbeats succeed. */
  takeoverSeconds: number
}

/** Renews the lease of this node with heartbeats, and takes over the open holds of nodes whose lease expired. */
export const startNodeLease = ({
  db,
  writer,
  log,
  heartbeatSeconds,
  takeoverSeconds,
}: NodeLeaseOptions): NodeLease => {
  const seen = new Map<number, { heartbeat: number; since: number }>()
  let ticking: Promise<void> | undefined

  const isStale = (epoch: number, heartbeat: number, now: number) => {
    const last = seen.get(epoch)
    if (last?.heartbeat !== heartbeat) {
      seen.set(epoch, { heartbeat, since: now })
      return false
    }
    return now - last.since >= takeoverSeconds * 1000
  }

  const poll = async () => {
    const now = performance.now()
    for (const { epoch, heartbeat, state } of await nodes.listUnfinished(db, writer.epoch)) {
      const isDead =
        state === 'dead' ||
        (isStale(epoch, heartbeat, now) && (await nodes.expire(db, epoch, heartbeat)))
      if (!isDead) continue
      log.warn({ epoch }, 'taking over the open holds of a dead node')
      await recoverEpoch(db, writer, epoch)
      seen.delete(epoch)
    }
  }

  const tick = async () => {
    const { epoch } = writer
    try {
      if (await nodes.renewLease(db, epoch)) await poll()
      else await writer.renew(epoch)
    } catch (error) {
      // While our own heartbeats fail, unchanged heartbeats of other nodes prove nothing.
      seen.clear()
      log.warn({ err: error }, 'the heartbeat failed')
    }
  }

  const timer = setInterval(() => {
    ticking ??= tick().finally(() => {
      ticking = undefined
    })
  }, heartbeatSeconds * 1000)
  timer.unref()

  return {
    stop: async () => {
      clearInterval(timer)
      await ticking
    },
  }
}
