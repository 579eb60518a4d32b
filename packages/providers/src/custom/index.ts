import { z } from 'zod'
import { dashboardBilling } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider, type EndpointPath } from '../define.ts'

/** One Hub's numbers of the operations. The `customize` option of a channel maps them to paths. */
const chat = '1'
const embeddings = '3'
const transcriptions = '10'
const translations = '11'

const customizedPath =
  (operation: string, defaultPath: string): EndpointPath =>
  ({ options }) => {
    const path = options.customize?.[operation]
    if (path === 'disable') return undefined
    return typeof path === 'string' && path.startsWith('/') ? path : defaultPath
  }

const pathField = (label: string, defaultPath: string) =>
  z
    .string()
    .regex(/^(|disable|\/.*)$/)
    .optional()
    .meta({ label, help: `Empty: ${defaultPath}. disable: switched off.` })

// Any server with the API of https://platform.openai.com/docs/api-reference/chat. The usage flag is set, because a stream
// without usage is billed by the gateway's own estimate.
export default defineProvider({
  id: 'custom',
  name: 'Custom 自定义渠道',
  type: 8,
  baseUrl: '',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      defineEndpoint('openai-chat', customizedPath(chat, '/v1/chat/completions'), {
        usageFlag: true,
      }),
    ],
    embeddings: [defineEndpoint('openai-chat', customizedPath(embeddings, '/v1/embeddings'))],
    transcriptions: [
      defineEndpoint('openai', customizedPath(transcriptions, '/v1/audio/transcriptions')),
    ],
    translations: [
      defineEndpoint('openai', customizedPath(translations, '/v1/audio/translations')),
    ],
  },
  modelListPath: '/v1/models',
  balance: dashboardBilling,
  options: z.object({
    customize: z
      .object({
        [chat]: pathField('Chat path', '/v1/chat/completions'),
        [embeddings]: pathField('Embeddings path', '/v1/embeddings'),
        [transcriptions]: pathField('Transcriptions path', '/v1/audio/transcriptions'),
        [translations]: pathField('Translations path', '/v1/audio/translations'),
      })
      .optional(),
  }),
})
