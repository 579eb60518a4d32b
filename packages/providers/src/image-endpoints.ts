import { defineEndpoint, type Endpoint, type EndpointPath } from './define.ts'
import { drop } from './quirks.ts'

/** They refuse `response_format`: https://platform.openai.com/docs/api-reference/images/create */
const bytesOnly = /gpt-image|chatgpt-image/

/** The endpoints of OpenAI's images, whose newer models give bytes only. */
export const imageEndpoints = (path: EndpointPath): readonly Endpoint[] => [
  defineEndpoint('openai', path, {
    onlyModels: bytesOnly,
    imageForm: 'b64_json',
    quirks: [drop(['response_format'])],
  }),
  defineEndpoint('openai', path),
]
