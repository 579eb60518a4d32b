import type { MediaRule, Medium } from '../../json/media.ts'

/** Of the newest models; those before it make a picture smaller. */
const imageMax = 4_784
const pageTextMax = 3_000
/** A model's whole context: no file can cost more. */
const contextMax = 1_000_000

// https://platform.claude.com/docs/en/build-with-claude/vision: a token is 750 pixels, or a square of 28 that was begun.
// https://platform.claude.com/docs/en/build-with-claude/pdf-support: a page is its text and its picture.
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
