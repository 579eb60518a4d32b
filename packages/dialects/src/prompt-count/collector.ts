import type { CountingVendor } from './vendors.ts'

/** A model reads this of a request: its texts, and tokens that are no text. */
export type PromptContent = {
  texts: string[]
  /** Tokens around messages and tools, of token ids and of images, sounds and files. */
  tokens: number
  /** The part of `tokens` for images, sounds and files. */
  mediaTokens: number
}

export type Collector = PromptContent & { vendor: CountingVendor; model: string }
