import { Fault, type Log } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { mapPage } from '../../core/crud.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import type { LogFilter } from '../../db/queries/log-filter.ts'
import { findChargedModels, findOwnModels } from '../../db/queries/log-models.ts'
import { type LogPage, list, newestFirst, oldestFirst } from '../../db/queries/log-page.ts'
import { asLog } from '../../db/queries/logs.ts'
import type { Paging } from '../../db/queries/paging.ts'
import { withWindow } from './window.ts'

export type LogSearch = Omit<LogFilter, 'after'> & Paging & { after?: string | undefined }

/** No index has these orders, nor the group, so that all rows of the range are read. */
const rangeOrder = /(^|,)-?(quota|request_time)\b/
const rangeMaxDays = 31

/** Lists a page of logs. */
export const search = async (
  app: App,
  { page, size, order, after, ...filter }: LogSearch,
): Promise<LogPage<Log> & { since: number | null }> => {
  if (order && rangeOrder.test(order) && !hasShortRange(app, filter))
    throw new Fault('request.invalid', { hint: `\`order\`: by charge or duration ${needsRange}` })
  checkGroup(app, filter)
  if (after !== undefined && ![undefined, newestFirst, oldestFirst].includes(order))
    throw new Fault('request.invalid', {
      hint: `\`after\`: needs the order ${newestFirst} or ${oldestFirst}.`,
    })
  const cursor = after === undefined ? {} : { after: readCursor(after) }
  const { since, ...windowed } = await withWindow(app, filter)
  const found = list(app.db, { ...windowed, ...cursor }, { page, size, order })
  return { ...(await mapPage(found, asLog)), since }
}

const needsRange = `needs a \`start_timestamp\` and a range of at most ${rangeMaxDays} days.`

const hasShortRange = (
  app: App,
  {
    start_timestamp: start,
    end_timestamp: end,
  }: Pick<LogFilter, 'start_timestamp' | 'end_timestamp'>,
): boolean => Boolean(start) && (end || nowSeconds(app)) - start! <= rangeMaxDays * 86_400

/** Refuses a group without a short range of time. */
export const checkGroup = (app: App, filter: LogFilter): void => {
  if (filter.group && !hasShortRange(app, filter))
    throw new Fault('request.invalid', { hint: `\`group\`: ${needsRange}` })
}

/** The contract admits two numbers with a dot between. */
export const readCursor = (text: string) => {
  const [created_at = 0, id = 0] = text.split('.').map(Number)
  return { created_at, id }
}

const suggestionsMax = 20

/** Names that contain the text, first those that begin with it. */
export const suggestModels = async (
  app: App,
  text: string,
  userId: number | undefined,
): Promise<string[]> => {
  const names =
    userId === undefined
      ? await findChargedModels(app.db, text)
      : await withDeadline(app.db, db => findOwnModels(db, userId, text))
  const begins = (name: string) => name.toLowerCase().startsWith(text.toLowerCase())
  const found = names ?? []
  return [...found.filter(begins), ...found.filter(name => !begins(name))].slice(0, suggestionsMax)
}
