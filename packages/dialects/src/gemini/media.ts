import type { MediaRule, Medium } from '../json/media.ts'
import type { LinkedMedia } from '../vendor-rules/linked-media.ts'

/** Tokens of one image at the highest resolution of newer models. */
const wholeMax = 1_120
const tile = 258
/** Assumed tiles of an image of unknown size. */
const tilesUnknown = 10
/** Low bit rates, so that estimates are high: the vendor counts 32 tokens per second of audio and 295 of video. */
const soundBytesPerToken = 40
const filmBytesPerToken = 25
/** Upper bound for one file: the context of a model, in tokens. */
const contextMax = 1_000_000

// https://ai.google.dev/gemini-api/docs/tokens counts 258 tokens per small image, or per tile of a larger one.
// Newer models count by https://ai.google.dev/gemini-api/docs/media-resolution.
const tokensOf = (medium: Medium): number => {
  switch (medium.kind) {
    case 'image':
      return medium.size
        ? Math.max(wholeMax, tilesOf(medium.size.width, medium.size.height) * tile)
        : tilesUnknown * tile
    case 'link':
      return tilesUnknown * tile
    case 'audio':
      return Math.ceil(medium.length / soundBytesPerToken)
    case 'other':
      return Math.min(contextMax, Math.ceil(medium.length / filmBytesPerToken))
    case 'pdf':
      return medium.pages === undefined
        ? Math.min(contextMax, medium.length)
        : medium.pages * wholeMax
  }
}

/** Number of square tiles; a side is two thirds of the image's shorter side. */
export const tilesOf = (width: number, height: number): number => {
  if (width <= 384 && height <= 384) return 1
  const side = Math.max(1, Math.floor(Math.min(width, height) / 1.5))
  return Math.ceil(width / side) * Math.ceil(height / side)
}

export const mediaRule: MediaRule = {
  data: ['data'],
  links: ['fileUri', 'file_uri'],
  inside: ['inlineData', 'inline_data', 'fileData', 'file_data'],
  // https://ai.google.dev/gemini-api/docs/tools
  toolKeys: [
    ...['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval'],
    ...['urlContext', 'url_context', 'codeExecution', 'code_execution'],
    ...['fileSearch', 'file_search', 'googleMaps', 'google_maps'],
    ...['enterpriseWebSearch', 'enterprise_web_search', 'retrieval', 'mcpServers', 'mcp_servers'],
  ],
  tokensOf,
}

/** Uploaded files and videos, whose type the vendor knows: https://ai.google.dev/gemini-api/docs/file-input-methods */
const ownAddress =
  /^https:\/\/(generativelanguage\.googleapis\.com|(www\.|m\.)?youtube\.com|youtu\.be)\//

/**
 * The vendor fetches an address of the web only with its exact type, which nobody knows before the file was read.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export const needsBytes = ({ url, mime }: LinkedMedia): boolean => {
  const isExact = !mime.includes('*') && mime !== 'application/octet-stream'
  return /^https?:/i.test(url) && !isExact && !ownAddress.test(url)
}
