/** The clock that signatures use. */
export type SigningContext = {
  /** Milliseconds since 1970. */
  now(): number
}

export type Signature = { headers: Record<string, string>; query: Record<string, string> }

/** The request for signatures that cover it. `path` includes the query, as it is sent. */
export type OutgoingRequest = {
  method: string
  origin: string
  path: string
  body: Uint8Array | null
}

/** Authenticates a request. Equal arguments give an equal signature. */
export type Sign = (
  context: SigningContext,
  credential: string,
  outgoing?: OutgoingRequest,
) => Signature

export const bearer: Sign = (_context, credential) => ({
  headers: { authorization: `Bearer ${credential}` },
  query: {},
})

export const header =
  (name: string): Sign =>
  (_context, credential) => ({ headers: { [name.toLowerCase()]: credential }, query: {} })

export const query =
  (name: string): Sign =>
  (_context, credential) => ({ headers: {}, query: { [name]: credential } })

/** For providers that are listed but not callable. */
export const unsigned: Sign = () => ({ headers: {}, query: {} })
