import type { MediaRule, Medium } from '../../json/media.ts'

/** Of a whole picture at the highest resolution that newer models are asked for. */
const wholeMax = 1_120
const tile = 258
/** A wide picture; nothing is known of one that is kept elsewhere. */
const tilesUnknown = 10
/** At rates lower than any sound or film has that is of use: 32 tokens a second of a sound, 295 of a film. */
const soundBytesPerToken = 40
const filmBytesPerToken = 25
/** A model's whole context: no file can cost more. */
const contextMax = 1_000_000

// https://ai.google.dev/gemini-api/docs/tokens: 258 for a small picture and for each tile of a larger one; newer models
// count by https://ai.google.dev/gemini-api/docs/media-resolution.
const tokensOf = (medium: Medium): number => {
  switch (medium.kind) {
    case 'image':
      return medium.size
        ? Math.max(wholeMax, tilesOf(medium.size.width, medium.size.height) * tile)
        : tilesUnknown * tile
    case 'link':
      return tilesUnknown * tile
    case 'sound':
      return Math.ceil(medium.length / soundBytesPerToken)
    case 'other':
      return Math.min(contextMax, Math.ceil(medium.length / filmBytesPerToken))
    case 'pdf':
      return medium.pages === undefined
        ? Math.min(contextMax, medium.length)
        : medium.pages * wholeMax
  }
}

/** Squares of two thirds of the shorter side. */
export const tilesOf = (width: number, height: number): number => {
  if (width <= 384 && height <= 384) return 1
  const side = Math.max(1, Math.floor(Math.min(width, height) / 1.5))
  return Math.ceil(width / side) * Math.ceil(height / side)
}

export const mediaRule: MediaRule = {
  data: ['data'],
  links: ['fileUri', 'file_uri'],
  inside: ['inlineData', 'inline_data', 'fileData', 'file_data'],
  tokensOf,
}
