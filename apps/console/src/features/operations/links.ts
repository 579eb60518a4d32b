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

export const channelLink = ({ id, name }: { id: number; name: string }): string =>
  address('channel', { name, open: id })

export const usersLink = '/panel/user?order=-created_time'
export const redemptionsLink = '/panel/redemption?status=3&order=-redeemed_time'
