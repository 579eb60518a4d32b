const key = 'aff'

/** The invite code somebody came with: from the address, and from then on from this browser, until it was used. */
export const invitedBy = (search: string): string => {
  const given = new URLSearchParams(search).get('aff')?.slice(0, 64) ?? ''
  if (given) localStorage.setItem(key, given)
  return given || (localStorage.getItem(key) ?? '')
}

export const forgetInvitation = () => localStorage.removeItem(key)
