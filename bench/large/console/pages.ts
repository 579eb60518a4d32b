import { consolePaths } from '../../../test/e2e/paths.ts'
import type { TestHub } from '../world.ts'

export type MeasuredPage = {
  path: string
  /** The page is opened by the root user, or by the user with a tenth of all calls. */
  by: 'root' | 'busy'
  /** Matches once the page shows its data. */
  ready: string
  /** Matches each row. */
  rows: string
  /** The page offers its rows in pages whose size is chosen. */
  hasSizes: boolean
  /** It is a list that must have rows, and is scrolled. */
  isList: boolean
}

/** A row with data: rows that hold the place of data have a skeleton. */
const row = 'main tbody tr:not(:has(.MuiSkeleton-root))'
/** The lists of sessions and models have items instead of rows. */
const item = 'main ul > li:not(:has(.MuiSkeleton-root))'
const withItems = /sessions|model_price/
/** A list that has loaded, be it empty. */
const loadedList = 'main [aria-busy="false"]'
/** A tile of the operations home. */
const tile = 'main a[href*="/panel/log?log_type=2"]'

/** Pages of the console that show no table. Each other page must show a row, so that a new page is measured. */
const withoutTable = new Set(
  [
    'dashboard',
    'dashboard?view=mine',
    'playground',
    'profile',
    'channel/1',
    'channel/1?tab=routing',
    'channel/1?tab=settings',
    'channel/new',
    'simulator',
    'setting',
    // Measured as the busy user sees it: the root user has no invoices.
    'invoice',
  ].map(each => `/panel/${each}`),
)
/** Pages whose table shows all its rows at once. */
const withoutSizes = /analytics|conformance|sessions|tab=models|model_price|invoice|system_info/

/** The logs as people search them: by each filter, in other orders, far back, and for what does not exist. */
const logSearches = ({ names }: TestHub): string[] => {
  const day = Math.floor(Date.now() / 1000) - 86_400
  return [
    'log_type=2',
    'log_type=5',
    'model_name=bench-3',
    'model_name=%22bench-3%22',
    'model_name=none',
    'token_name=test',
    `username=${names.busy}`,
    `username=${names.other}`,
    'username=nobody',
    'channel_id=1',
    'group=default',
    'source_ip=10.0.0.7',
    'session=none',
    `start_timestamp=${day}`,
    `end_timestamp=${day - 60 * 86_400}`,
    'order=-quota',
    'order=-request_time',
    'order=created_at',
    `username=${names.busy}&model_name=bench-10&source_ip=10.0.0.10`,
    'page=50',
  ]
}

const fullList = (path: string): MeasuredPage => {
  const rows = withItems.test(path) ? item : row
  return { path, by: 'root', ready: rows, rows, hasSizes: !withoutSizes.test(path), isList: true }
}

/** Lists that may be empty: searches, and what belongs to a user. */
const anyList = (by: MeasuredPage['by'], path: string): MeasuredPage => ({
  ...{ path, by, ready: loadedList, rows: row, hasSizes: false, isList: false },
})

/** Every page of the console with a table, as the root user opens it, the operations home, and what a user owns. */
export const measuredPages = (hub: TestHub): MeasuredPage[] => {
  const tables = consolePaths.filter(path => !withoutTable.has(path))
  const own = ['token', 'log', 'log?model_name=bench-10', 'invoice']
  return [
    { ...fullList('/panel/dashboard'), ready: tile, isList: false },
    ...[...tables, '/panel/user_token', '/panel/system_info'].map(fullList),
    ...logSearches(hub).map(search => anyList('root', `/panel/log?${search}`)),
    ...own.map(path => anyList('busy', `/panel/${path}`)),
    { ...fullList('/panel/log/sessions'), by: 'busy', isList: false },
  ]
}
