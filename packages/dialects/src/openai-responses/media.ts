import type { MediaRule } from '../json/media.ts'
import { tokensOf } from '../openai-chat/media.ts'

/** The same vendor; what is kept elsewhere is named in texts of their own. */
export const mediaRule: MediaRule = {
  // The last: a picture that the model made.
  data: ['image_url', 'file_data', 'data', 'result'],
  links: ['image_url', 'file_id', 'file_url'],
  tokensOf,
}
