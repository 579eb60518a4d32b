import type { Database } from '../index.ts'
import { administrators } from './notification-targets.ts'
import { emit } from './notifications.ts'

/** Registers this process as a node. Its epoch identifies this one process run; no later run gets the same number. */
export const openEpoch = async (db: Database): Promise<number> => {
  const node = { heartbeat: 0, state: 'live' as const }
  const { epoch } = await db
    .insertInto('nodes')
    .values(node)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

/** The newest epoch, or 0. */
export const lastEpoch = async (db: Database): Promise<number> => {
  const row = await db
    .selectFrom('nodes')
    .select(eb => eb.fn.max('epoch').as('epoch'))
    .executeTakeFirst()
  return Number(row?.epoch ?? 0)
}

/** Increments the heartbeat. False when the epoch is not live, because another node has declared it dead. */
export const renewLease = async (db: Database, epoch: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set(eb => ({ heartbeat: eb('heartbeat', '+', 1) }))
    .where('epoch', '=', epoch)
    .where('state', '=', 'live')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False once another node has declared the process of this epoch dead, or has taken its holds over. */
export const isLive = async (db: Database, epoch: number): Promise<boolean> => {
  const row = await db
    .selectFrom('nodes')
    .select('epoch')
    .where('epoch', '=', epoch)
    .where('state', '=', 'live')
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the other nodes to watch or clean up: all live ones, and dead ones that still have open holds. */
export const listUnfinished = (db: Database, epoch: number) =>
  db
    .selectFrom('nodes')
    .select(['epoch', 'heartbeat', 'state'])
    .where('epoch', '<>', epoch)
    .where(eb =>
      eb.or([
        eb('state', '=', 'live'),
        eb.exists(eb.selectFrom('holds').select('id').whereRef('holds.epoch', '=', 'nodes.epoch')),
      ]),
    )
    .execute()

/** Declares an epoch dead unless its heartbeat has changed since it was read. Returns whether it is dead now. */
export const expire = (db: Database, epoch: number, heartbeat: number): Promise<boolean> =>
  db.transaction().execute(async tx => {
    if (!(await markDead(tx, epoch, heartbeat))) return false
    const lost = { event: 'node.lost', key: `node.lost:${epoch}`, userIds: [administrators] }
    await emit(tx, { ...lost, facts: { node: epoch } }, { now: Math.floor(Date.now() / 1000) })
    return true
  })

const markDead = async (db: Database, epoch: number, heartbeat: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ state: 'dead' })
    .where('epoch', '=', epoch)
    .where('heartbeat', '=', heartbeat)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Marks a node dead and adds its channel usage counters to the shared rows of epoch 0. Repeating it adds nothing. The
 * caller makes sure that the node has no open holds.
 */
export const retire = (db: Database, epoch: number): Promise<void> =>
  db.transaction().execute(async tx => {
    await tx.updateTable('nodes').set({ state: 'dead' }).where('epoch', '=', epoch).execute()
    const sums = await tx
      .deleteFrom('channel_used')
      .where('epoch', '=', epoch)
      .returning(['channel_id', 'used', 'n'])
      .execute()
    const ordered = sums.sort((a, b) => a.channel_id - b.channel_id)
    for (const sum of ordered) {
      await tx
        .insertInto('channel_used')
        .values({ ...sum, epoch: 0 })
        .onConflict(oc =>
          oc.columns(['channel_id', 'epoch']).doUpdateSet(eb => ({
            used: eb('channel_used.used', '+', sum.used),
            n: eb('channel_used.n', '+', sum.n),
          })),
        )
        .execute()
    }
  })
