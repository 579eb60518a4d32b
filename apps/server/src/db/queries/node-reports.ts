import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { NodeReportsTable } from '../tables/node-reports.ts'

export type NodeReport = Selectable<NodeReportsTable>

const keptSeconds = 86_400

/** Replaces the report of the node, and forgets those of nodes that have said nothing for a day. */
export const save = async (db: Database, { epoch, ...report }: NodeReport): Promise<void> => {
  await db
    .insertInto('node_reports')
    .values({ epoch, ...report })
    .onConflict(conflict => conflict.column('epoch').doUpdateSet(report))
    .execute()
  await db
    .deleteFrom('node_reports')
    .where('reported_at', '<', report.reported_at - keptSeconds)
    .execute()
}

/** The reports with the state of their node's lease, the latest start first. */
export const list = (db: Database) =>
  db
    .selectFrom('node_reports')
    .innerJoin('nodes', 'nodes.epoch', 'node_reports.epoch')
    .selectAll('node_reports')
    .select('nodes.state as lease')
    .orderBy('node_reports.epoch', 'desc')
    .execute()
