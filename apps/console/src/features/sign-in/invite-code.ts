const key = 'aff'

/** Reads the invite code from the address and stores it in the browser until it is used. */
export const rememberInviteCode = (search: string): string => {
  const fromAddress = new URLSearchParams(search).get('aff')?.slice(0, 64) ?? ''
  if (fromAddress) localStorage.setItem(key, fromAddress)
  return fromAddress || (localStorage.getItem(key) ?? '')
}

export const clearInviteCode = () => localStorage.removeItem(key)
