/** What signing may use of the world. */
export type Kit = {
  /** Milliseconds since 1970. */
  now(): number
}

export type Signature = { headers: Record<string, string>; query: Record<string, string> }

/** What goes out, for signatures that cover it. `path` with its query, as it is sent. */
export type Outgoing = {
  method: string
  origin: string
  path: string
  body: Uint8Array | null
}

/** How we prove who we are. The same kit, credential and request give the same signature. */
export type Sign = (kit: Kit, credential: string, outgoing?: Outgoing) => Signature

export const bearer: Sign = (_kit, credential) => ({
  headers: { authorization: `Bearer ${credential}` },
  query: {},
})

export const header =
  (name: string): Sign =>
  (_kit, credential) => ({ headers: { [name.toLowerCase()]: credential }, query: {} })

export const query =
  (name: string): Sign =>
  (_kit, credential) => ({ headers: {}, query: { [name]: credential } })

/** For providers that are known but not called yet. */
export const unsigned: Sign = () => ({ headers: {}, query: {} })
