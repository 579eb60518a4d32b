/** The clock that signatures use. */
export type SigningContext = {
  /** Milliseconds since 1970. */
  now(): number
}

/** Headers and query parameters to add to a request. */
export type AuthFields = { headers: Record<string, string>; query: Record<string, string> }

/** The request to be signed. Only signers over the content read it. `path` includes the query, as it is sent. */
export type OutgoingRequest = {
  method: string
  origin: string
  path: string
  body: Uint8Array | null
}

/** Returns the headers and query parameters that authenticate a request. Equal arguments and time give equal fields. */
export type Sign = (
  context: SigningContext,
  credential: string,
  outgoing?: OutgoingRequest,
) => AuthFields

export const bearer: Sign = (_context, credential) => ({
  headers: { authorization: `Bearer ${credential}` },
  query: {},
})

export const apiKeyHeader =
  (name: string): Sign =>
  (_context, credential) => ({ headers: { [name.toLowerCase()]: credential }, query: {} })

export const apiKeyQuery =
  (name: string): Sign =>
  (_context, credential) => ({ headers: {}, query: { [name]: credential } })

/** For providers that are listed but not callable. */
export const unsigned: Sign = () => ({ headers: {}, query: {} })
