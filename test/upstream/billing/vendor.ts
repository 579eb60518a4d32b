import type { IncomingHttpHeaders } from 'node:http'
import type { Figures } from './figures.ts'
import type { Line } from './money.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a client sends can be anything.
export type Json = any

/** A request at the fake vendor's endpoint. */
export type Call = {
  /** The mark that the client wrote into its prompt. */
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: Json
  model: string
  streamed: boolean
  figures: Figures
}

/** What the vendor sends, and what it writes on its bill. */
export type Answer = {
  status: number
  headers?: Record<string, string>
  body?: unknown
  /** Pieces of a streamed answer. */
  frames?: readonly (string | Buffer)[]
  lines: readonly Line[]
  /** The tier or speed that served the call, as the vendor names it. */
  served?: string
}

/** US dollars for a million tokens of each kind. */
export type Rates = {
  input: string
  output: string
  cached?: string
  write?: string
  write1h?: string
  audioInput?: string
  audioCached?: string
  audioOutput?: string
}

/** Prompts above a length cost other rates, for all their tokens. */
export type Priced = Rates & { long?: Rates & { above: number } }

export type Vendor = {
  name: string
  /** The standard price of each model, as the vendor's page lists it. */
  prices: Record<string, Priced>
  answer(call: Call): Answer | Promise<Answer>
}

/** A refusal costs nothing. */
export const refuse = (message: string, status = 400): Answer => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
  lines: [],
})

export const event = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
