import type { MediaRule, Medium } from '../json/media.ts'

/** The size for an image of unknown or excessive size: the vendor scales down to it. */
const largest = { width: 2_048, height: 2_048 }
/** The whole context of a model: no file can cost more. */
const contextMax = 1_000_000

// Tiles and patches: https://developers.openai.com/api/docs/guides/images-vision. If the model name does not show the
// method, the more expensive one counts. A PDF counts as text plus an image of each page:
// https://developers.openai.com/api/docs/guides/pdf-files. Audio counts ten tokens per second.
export const tokensOf = (medium: Medium, model = ''): number => {
  switch (medium.kind) {
    case 'image':
      return imageTokens(medium.size ?? largest, model)
    case 'link':
      return imageTokens(largest, model)
    case 'audio':
      return Math.ceil(medium.length / soundBytesPerToken)
    case 'other':
      return Math.min(medium.length, contextMax)
    case 'pdf':
      return medium.pages === undefined
        ? Math.min(medium.length, contextMax)
        : medium.pages * (pageTextMax + imageTokens(largest, model))
  }
}

/** At 8 kilobits per second, less than any intelligible recording. */
const soundBytesPerToken = 130
const pageTextMax = 3_000

const imageTokens = ({ width, height }: { width: number; height: number }, model: string) => {
  const tiles = tilesOf(width, height)
  // In money, a tile costs the same on the small model as on the large one.
  if (/4o-mini/.test(model)) return 2_833 + 5_667 * tiles
  const patches = Math.min(
    Math.ceil(width / 32) * Math.ceil(height / 32),
    /gpt-(5\.[4-9]|[6-9])/.test(model) ? 10_000 : 1_536,
  )
  const factor = /nano/.test(model) ? 2.46 : 1.72
  return Math.max(85 + 170 * tiles, Math.ceil(patches * factor))
}

/** The vendor scales to fit 2048 x 2048, then the shorter side to 768, and cuts tiles of 512. */
export const tilesOf = (width: number, height: number): number => {
  const fit = Math.min(1, 2_048 / Math.max(width, height))
  const short = Math.min(1, 768 / (Math.min(width, height) * fit))
  const side = (length: number) => Math.max(1, Math.ceil((length * fit * short) / 512 - 1e-9))
  return side(width) * side(height)
}

export const mediaRule: MediaRule = {
  data: ['url', 'file_data', 'data'],
  links: ['url', 'file_id'],
  inside: ['image_url', 'file', 'input_audio'],
  tokensOf,
}
