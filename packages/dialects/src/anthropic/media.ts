import type { MediaRule, Medium } from '../json/media.ts'

/** Tokens of the largest image on the newest models; older models scale images down. */
const imageMax = 4_784
const pageTextMax = 3_000
/** Upper bound for one file: the context of a model, in tokens. */
const contextMax = 1_000_000

// https://platform.claude.com/docs/en/build-with-claude/vision counts 750 pixels, or one patch of 28 x 28, as a token.
// https://platform.claude.com/docs/en/build-with-claude/pdf-support counts text and image of each page.
const tokensOf = (medium: Medium): number => {
  switch (medium.kind) {
    case 'image': {
      if (!medium.size) return imageMax
      const { width, height } = medium.size
      const patches = Math.ceil(width / 28) * Math.ceil(height / 28)
      return Math.min(imageMax, Math.max(patches, Math.ceil((width * height) / 750)))
    }
    case 'link':
      return imageMax
    case 'pdf':
      if (medium.pages !== undefined) return medium.pages * (pageTextMax + imageMax)
      return Math.min(medium.length, contextMax)
    default:
      return Math.min(medium.length, contextMax)
  }
}

export const mediaRule: MediaRule = {
  data: ['data'],
  links: ['url', 'file_id'],
  inside: ['source'],
  tokensOf,
}
