/** A dialect that callers can use. */
export type CallerDialectId = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** The private format of one vendor, which stands in the vendor's folder. */
export type VendorDialectId = `${string}-native`

/** A dialect that several vendors speak. */
export type SharedDialectId = CallerDialectId | 'converse'

/** Every dialect, including those that only upstreams use. */
export type DialectId = SharedDialectId | VendorDialectId

/**
 * The format of an endpoint. Operations besides chat and embeddings have their own: OpenAI's, and for reranking those of
 * Jina and Cohere. `vendor` is a private format, which the translation of its endpoint writes.
 */
export type FormatId = DialectId | 'openai' | 'jina' | 'cohere' | 'vendor'
