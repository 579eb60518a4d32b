import type { MediaRule } from '../json/media.ts'
import { tokensOf } from '../openai-chat/media.ts'

/** The vendor counts as in chat. URLs and file ids have other keys. */
export const mediaRule: MediaRule = {
  // `result` contains a generated image.
  data: ['image_url', 'file_data', 'data', 'result'],
  links: ['image_url', 'file_id', 'file_url'],
  tokensOf,
}
