/** A dialect that callers can use. */
export type CallerDialectId = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** The private format of one vendor, which stands in the vendor's folder. */
export type VendorDialectId = `${string}-native`

/** A dialect that several vendors speak. */
export type SharedDialectId = CallerDialectId | 'converse'

/** Every dialect, including those that only upstreams use. */
export type DialectId = SharedDialectId | VendorDialectId
