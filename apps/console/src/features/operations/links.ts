import type { SeriesAttribute, SeriesFigure } from '@hub/contract'

type Filters = Record<string, string | number | undefined>

const address = (page: string, filters: Filters): string => {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return `/panel/${page}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}

/** Log types as the log page has them in its address: 2 charged calls, 5 failed ones. */
export const chargesLink = (since: number, filters: Filters = {}): string =>
  address('log', { log_type: 2, start_timestamp: since, ...filters })

export const errorsLink = (since: number, filters: Filters = {}): string =>
  address('log', { log_type: 5, start_timestamp: since, ...filters })

/** The log page finds parts of names; quotes make the name complete. */
export const exactly = (name: string): string => `"${name}"`

type Shown = { figure: SeriesFigure; by: SeriesAttribute }

/** The log page with the rows of one value of the chart. The others lead to all rows of their time. */
export const valueLink = (
  { figure, by }: Shown,
  { id, name }: { id: number; name: string },
  { begin, end }: { begin: number; end: number },
): string | undefined => {
  const filters: Record<SeriesAttribute, Filters> = {
    model: { model_name: exactly(name) },
    channel: { channel_id: id },
    user: { username: name },
    group: { group: name },
  }
  // The log page finds users by their name, which one who was deleted for good no longer has.
  if (by === 'user' && name === `#${id}`) return undefined
  const linkTo = figure === 'errors' ? errorsLink : chargesLink
  return linkTo(begin, { end_timestamp: end - 1, ...(name && filters[by]) })
}

export const channelLink = ({ id, name }: { id: number; name: string }): string =>
  address('channel', { name, open: id })

export const usersLink = '/panel/user?order=-created_time'
export const redemptionsLink = '/panel/redemption?status=3&order=-redeemed_time'
