import type { PromptContent } from './collector.ts'
import { collectPrompt } from './content.ts'

export { encodingOf, usualRatioOf } from './vendors.ts'

import { scriptTokens } from './script-tokens.ts'

/** Counts the tokens of a text. */
export type Tokenizer = (text: string) => number

/** A longer prompt is counted by its scripts from here on, which is less exact. */
export const tokenizedMax = 1024 * 1024

export type PromptCount = {
  /** By the tokenizer that was passed. */
  textTokens: number
  /** By the vendor's rules: those around messages and tools, and those of images, sounds and files. */
  otherTokens: number
  /** The part of `otherTokens` for images, sounds and files. */
  mediaTokens: number
}

/**
 * Counts what a model reads of a request: decoded content, without the syntax of JSON. The same content gives the same
 * count however it is escaped. Without a tokenizer all of it is counted by scripts.
 */
export const countPrompt = (
  body: Uint8Array,
  { format, model }: { format: string; model: string },
  tokenizer?: Tokenizer,
): PromptCount => {
  const content = collectPrompt(JSON.parse(new TextDecoder().decode(body)), format, model)
  return {
    textTokens: countTexts(content, tokenizer),
    otherTokens: content.tokens,
    mediaTokens: content.mediaTokens,
  }
}

/** The cautious estimate counts three bytes of JSON as a token, where most prompts have five. */
const cautiousFactor = 0.6

/** This is charged for a prompt that cannot be counted. */
export const guessTokens = ({
  promptTokens,
  mediaTokens = 0,
}: {
  promptTokens: number
  mediaTokens?: number | undefined
}): number => Math.ceil((promptTokens - mediaTokens) * cautiousFactor + mediaTokens / 2)

const countTexts = ({ texts }: PromptContent, tokenizer: Tokenizer | undefined): number => {
  if (!tokenizer) return texts.reduce((sum, each) => sum + scriptTokens(each), 0)
  let left = tokenizedMax
  let tokens = 0
  let restByScript = 0
  for (const text of texts) {
    const head = text.slice(0, left)
    left -= head.length
    for (const piece of piecesOf(head)) tokens += tokenizer(piece)
    if (left > 0) continue
    restByScript += scriptTokens(text.slice(head.length))
  }
  return tokens + restByScript
}

/** A tokenizer takes the square of the length of a run of letters, signs or blanks, so those longer than any word are cut. */
const longRun = /([\p{L}\p{M}]{64}|[^\s\p{L}\p{N}]{64}|\s{64})/u

const piecesOf = (text: string): string[] => text.split(longRun).filter(each => each !== '')
