import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Database } from '../index.ts'
import * as nodes from '../queries/nodes.ts'
import { recoverEpoch } from './recover.ts'
import type { Writer } from './writer.ts'

type Options = {
  db: Database
  writer: Writer
  log: Logger
  beatSeconds: number
  /** A beat unchanged for so long, by our own clock and while our own heart beats, is a dead node's. */
  takeoverSeconds: number
}

/** Shows the others that this node lives, and looks after those that do not. */
export const startHeart = ({ db, writer, log, beatSeconds, takeoverSeconds }: Options) => {
  const seen = new Map<number, { beat: number; since: number }>()
  let beating: Promise<void> | undefined

  const isStale = (epoch: number, beat: number, now: number) => {
    const known = seen.get(epoch)
    if (known?.beat !== beat) {
      seen.set(epoch, { beat, since: now })
      return false
    }
    return now - known.since >= takeoverSeconds * 1000
  }

  const look = async () => {
    const now = performance.now()
    for (const { epoch, beat, state } of await nodes.listUnfinished(db, writer.epoch)) {
      const isDead =
        state === 'dead' ||
        (isStale(epoch, beat, now) && (await nodes.declareDead(db, epoch, beat)))
      if (!isDead) continue
      log.warn({ epoch }, 'taking over the open holds of a dead node')
      await recoverEpoch(db, writer, epoch)
      seen.delete(epoch)
    }
  }

  const tick = async () => {
    const { epoch } = writer
    try {
      if (await nodes.beat(db, epoch)) await look()
      else await writer.renew(epoch)
    } catch (error) {
      // Our own heart stood still: nobody else's silence means anything.
      seen.clear()
      log.warn({ err: error }, 'the heartbeat failed')
    }
  }

  const timer = setInterval(() => {
    beating ??= tick().finally(() => {
      beating = undefined
    })
  }, beatSeconds * 1000)
  timer.unref()

  return {
    stop: async () => {
      clearInterval(timer)
      await beating
    },
  }
}
