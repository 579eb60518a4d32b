import { z } from 'zod'
import { dashboardBilling } from '../balance.ts'
import { apiKey, bearer, defineProvider, type Path, speak } from '../define.ts'

/** One Hub's numbers of the operations, by which a channel keeps its own path for each. */
const chat = '1'
const embeddings = '3'

const customized =
  (operation: string, usual: string): Path =>
  ({ options }) => {
    const path = options.customize?.[operation]
    if (path === 'disable') return undefined
    return typeof path === 'string' && path.startsWith('/') ? path : usual
  }

const pathField = (label: string, usual: string) =>
  z
    .string()
    .regex(/^(|disable|\/.*)$/)
    .optional()
    .meta({ label, help: `Empty: ${usual}. disable: switched off.` })

// Any server that speaks https://platform.openai.com/docs/api-reference/chat. Whether it reports
// usage is its own affair: it is asked, as that document says, since a stream without figures is
// billed by the meter.
export default defineProvider({
  id: 'custom',
  name: 'Custom 自定义渠道',
  type: 8,
  baseUrl: '',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [speak('openai-chat', customized(chat, '/v1/chat/completions'), { usageFlag: true })],
    embeddings: [speak('openai-chat', customized(embeddings, '/v1/embeddings'))],
  },
  models: '/v1/models',
  balance: dashboardBilling,
  options: z.object({
    customize: z
      .object({
        [chat]: pathField('Chat path', '/v1/chat/completions'),
        [embeddings]: pathField('Embeddings path', '/v1/embeddings'),
      })
      .optional(),
  }),
})
