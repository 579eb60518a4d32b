import { drop, rename, roleAs } from '../quirks.ts'

/** The chat API of the vendor, also where others host it. https://docs.mistral.ai/api/#tag/chat */
export const chatQuirks = [
  // Unknown fields are refused (422). The last frame always has the usage.
  drop(['stream_options', 'logprobs', 'top_logprobs', 'user', 'store']),
  rename('max_completion_tokens', 'max_tokens'),
  rename('seed', 'random_seed'),
  roleAs('developer', 'system'),
]
