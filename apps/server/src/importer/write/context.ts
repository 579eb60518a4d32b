import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import type { SourceId } from '../gateway-data.ts'
import type { ReportDraft } from '../report.ts'

/** One import: everything is written in one transaction, so that a killed import leaves nothing. */
export type ImportContext = {
  app: App
  tx: Database
  report: ReportDraft
  /** New ids and groups of users by their old ids. */
  users: Map<SourceId, { id: number; group: string }>
  /** By symbol, whether everybody may use the group. */
  groups: Map<string, boolean>
}
