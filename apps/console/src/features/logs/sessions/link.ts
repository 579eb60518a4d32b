/** The log page with the calls of a session, the oldest first. Two users may have one key. */
export const sessionLink = (key: string, username: string | undefined): string => {
  const params = new URLSearchParams({ session: key, order: 'created_at' })
  if (username) params.set('username', username)
  return `/panel/log?${params}`
}
