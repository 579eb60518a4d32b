import type { GatewayData, ImportDifference, Skipped, SourceId } from './gateway-data.ts'
import type { RecomputedCharges } from './recompute.ts'

export type ImportReport = {
  program: string
  isDryRun: boolean
  /** Rows of each table: found in the source, carried, left out. */
  tables: Record<string, { found: number; carried: number; skipped: number }>
  /** Sums in points over all carried users. Both are equal unless a balance was below zero. */
  balances: { source: number; here: number }
  /** Sums of used points over all carried users. */
  used: { source: number; here: number }
  /** New ids of channels by their old ones: administrators name a channel by its id. Empty in a dry run. */
  channelIds: Record<SourceId, number>
  changes: ImportDifference[]
  skipped: Skipped[]
  left: GatewayData['left']
  /** `--history` fills it: rows and points in the source and here, and a sample of charges. */
  history?: ImportedHistory
}

export type ImportedHistory = {
  rows: number
  points: number
  here: { rows: number; points: number }
  sample: RecomputedCharges
}

/** Collects what happens to each row. */
export class ReportDraft {
  readonly changes: ImportDifference[]
  readonly channelIds: Record<SourceId, number> = {}
  readonly skipped: Skipped[]
  history: ImportedHistory | undefined
  private readonly carried = new Map<string, number>()
  private readonly data: GatewayData

  constructor(data: GatewayData) {
    this.data = data
    this.skipped = [...data.skipped]
    this.changes = [...data.changes]
  }

  carry(table: string, rows = 1): void {
    this.carried.set(table, (this.carried.get(table) ?? 0) + rows)
  }

  /** Rows that stay in the source, too many to be named one by one. */
  leave(left: GatewayData['left'][number]): void {
    this.data.left.push(left)
  }

  change(table: string, { id, name }: { id: SourceId; name: string }, change: string): void {
    this.changes.push({ table, id, name, change })
  }

  skip(table: string, { id, name }: { id: SourceId; name: string }, reason: string): void {
    this.skipped.push({ table, id, name, reason })
  }

  finish(isDryRun: boolean): ImportReport {
    const { program, users, left } = this.data
    const tables: ImportReport['tables'] = {}
    const historyNames = this.history ? this.data.history.map(each => each.table) : []
    for (const table of [...tableNames, ...historyNames]) {
      const carried = this.carried.get(table) ?? 0
      const skipped = this.skipped.filter(each => each.table === table).length
      tables[table] = { found: carried + skipped, carried, skipped }
    }
    const sum = (read: (user: (typeof users)[number]) => number) =>
      users.reduce((total, each) => total + read(each), 0)
    return {
      ...{ program, isDryRun, tables, left },
      balances: { source: sum(each => each.balance), here: sum(each => Math.max(0, each.balance)) },
      used: { source: sum(each => each.used), here: sum(each => each.used) },
      channelIds: isDryRun ? {} : this.channelIds,
      ...{ changes: this.changes, skipped: this.skipped },
      ...(this.history && { history: this.history }),
    }
  }
}

const tableNames = [
  'user_groups',
  'users',
  'tokens',
  'channels',
  'prices',
  'redemptions',
  'model_owned_by',
  'model_info',
  'options',
  'payments',
  'telegram_menus',
] as const

/** The report as lines for a terminal. It contains no secret. */
export const printReport = (report: ImportReport): string => {
  const { program, isDryRun, tables, balances, used, changes, skipped, left } = report
  const counts = Object.entries(tables).map(
    ([table, each]) =>
      `  ${table.padEnd(16)}${String(each.found).padStart(8)}${String(each.carried).padStart(9)}${String(each.skipped).padStart(9)}`,
  )
  const rows = (title: string, lines: string[]) =>
    lines.length > 0 ? ['', title, ...lines.map(each => `  ${each}`)] : []
  return [
    `${isDryRun ? 'This import would carry' : 'Imported'} ${program}.`,
    '',
    '  table              found  carried  skipped',
    ...counts,
    '',
    `Balances: ${balances.source} points in the source, ${balances.here} here.`,
    `Used: ${used.source} points in the source, ${used.here} here.`,
    ...historyLines(report.history),
    ...rows(
      'Carried with a difference:',
      changes.map(({ table, id, name, change }) => `${table} ${id} (${name}): ${change}`),
    ),
    ...rows(
      'Left out:',
      skipped.map(({ table, id, name, reason }) => `${table} ${id} (${name}): ${reason}`),
    ),
    ...rows(
      'Stays in the source:',
      left.map(({ table, rows: count, reason }) => `${table}, ${count} rows: ${reason}`),
    ),
    '',
  ].join('\n')
}

const historyLines = (history: ImportedHistory | undefined): string[] => {
  if (!history) return []
  const { rows, points, here, sample } = history
  const { checked, equal, rounded, differing, differences, unknown } = sample
  return [
    `History: ${rows} rows with ${points} points in the source, ${here.rows} rows with ${here.points} points here.`,
    `Charges of ${checked} calls computed again: ${equal} are equal, ${rounded} differ by one point, ${differing} by more; ${unknown} have no price.`,
    ...differences.map(
      ({ id, model, source, here: computed }) =>
        `  logs ${id} (${model}): ${source} points in the source, ${computed} by its price and tokens`,
    ),
  ]
}
