import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import { answerInTime } from '../../../core/timers.ts'
import * as queries from '../../../db/queries/reasoning-samples.ts'
import type { ReasoningSamplesTable } from '../../../db/tables/reasoning-samples.ts'
import { type Lru, makeLru } from '../../../lib/lru.ts'

export type ReasoningSample = Pick<
  ReasoningSamplesTable,
  'user_id' | 'tokens' | 'tokens_per_second'
>

/** Samples of one user that count for a model and effort, so that nobody fills them alone. */
const slotsPerUser = 8
/** Models with efforts that wait to be written, and that are remembered for a database that does not answer. */
const keysMax = 1_000
const writeEveryMs = 5_000
const keyOf = ({ model, level }: queries.SampleKey): string => `${level} ${model}`
const slotOf = ({ user_id, slot }: ReasoningSamplesTable): string => `${user_id} ${slot}`

type Waiting = Map<string, Map<string, ReasoningSamplesTable>>

/**
 * Samples of hidden reasoning. They are written in batches, apart from the ledger, and read from the database when a caller
 * has left, so that every node knows the samples of all. Samples that cannot be written are dropped.
 */
export const reasoningSamples = appScoped((app: App) => {
  const known: Lru<string, ReasoningSamplesTable[]> = makeLru(keysMax)
  const waiting: Waiting = new Map()
  let nextSlot = 0
  let isScheduled = false
  let writing = Promise.resolve()

  const write = async () => {
    const byKey = [...waiting.values()]
    waiting.clear()
    try {
      for (const samples of byKey) {
        const rows = [...samples.values()]
        await queries.save(app.db, rows)
        await queries.removeOld(app.db, rows[0]!)
      }
    } catch (error) {
      app.log.warn({ err: error }, 'samples of hidden reasoning could not be written')
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(async () => {
      await flush()
      isScheduled = false
    }, writeEveryMs).unref()
  }

  const add = (key: queries.SampleKey, sample: ReasoningSample): void => {
    const name = keyOf(key)
    let samples = waiting.get(name)
    if (!samples) {
      if (waiting.size >= keysMax) return
      samples = new Map()
      waiting.set(name, samples)
    }
    nextSlot = (nextSlot + 1) % slotsPerUser
    const row = { ...key, ...sample, slot: nextSlot, at: app.now() }
    samples.set(slotOf(row), row)
    schedule()
  }

  const stored = async (key: queries.SampleKey): Promise<readonly ReasoningSamplesTable[]> => {
    const name = keyOf(key)
    try {
      const rows = await answerInTime(app, queries.list(app.callDb, key))
      if (!rows) return known.get(name) ?? []
      known.set(name, rows)
      return rows
    } catch (error) {
      app.log.warn({ err: error }, 'samples of hidden reasoning could not be read')
      return known.get(name) ?? []
    }
  }

  const list = async (key: queries.SampleKey): Promise<readonly ReasoningSample[]> => {
    const all = new Map<string, ReasoningSample>()
    for (const each of await stored(key)) all.set(slotOf(each), each)
    for (const each of waiting.get(keyOf(key))?.values() ?? []) all.set(slotOf(each), each)
    return [...all.values()]
  }

  return { add, list, flush }
})
