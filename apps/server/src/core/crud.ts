import { Fault, type Page } from '@hub/contract'
import type { Database } from '../db/index.ts'
import type { ChangeTopic } from '../state/change-notifications.ts'
import type { App } from './app.ts'

/** Returns the row. Throws `resource.missing` (404) when there is none. */
export const required = <T>(row: T | undefined): T => {
  if (row === undefined) throw new Fault('resource.missing')
  return row
}

/** Waits for a write. Throws `resource.missing` when it matched no row; returns null, the response without data. */
export const requireMatch = async (matched: Promise<boolean>): Promise<null> => {
  if (!(await matched)) throw new Fault('resource.missing')
  return null
}

/** Leaves out the fields that are undefined, which a patch does not change. */
export const definedOnly = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Converts the rows of a page to what the API answers. */
export const mapPage = async <Row, Item, P extends Page<Row>>(
  page: Promise<P & Page<Row>>,
  toItem: (row: Row) => Item,
): Promise<Omit<P, 'data'> & Page<Item>> => {
  const { data, ...paging } = await page
  return { ...paging, data: data.map(toItem) }
}

/** Runs a write and notifies all nodes that rows of the topic have changed, in one transaction. */
export const changeAndNotify = <T>(
  app: App,
  topic: ChangeTopic,
  write: (tx: Database) => Promise<T>,
): Promise<T> =>
  app.db.transaction().execute(async tx => {
    const result = await write(tx)
    await app.changes.notify(tx, topic)
    return result
  })
