import { z } from 'zod'
import { dashboardBilling } from '../balance.ts'
import { apiKey, bearer, defineEndpoint, defineProvider, type EndpointPath } from '../define.ts'

/** One Hub's numbers of the operations. The `customize` option of a channel maps them to paths. */
const chat = '1'
const completions = '2'
const embeddings = '3'
const moderations = '4'
const images = '5'
const speech = '9'
const rerank = '13'
const imageEdits = '6'
const imageVariations = '7'
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
    completions: [
      defineEndpoint('openai', customizedPath(completions, '/v1/completions'), { usageFlag: true }),
    ],
    moderations: [defineEndpoint('openai', customizedPath(moderations, '/v1/moderations'))],
    images: [defineEndpoint('openai', customizedPath(images, '/v1/images/generations'))],
    speech: [defineEndpoint('openai', customizedPath(speech, '/v1/audio/speech'))],
    // The form of Jina, as servers such as vLLM have it: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
    rerank: [defineEndpoint('jina', customizedPath(rerank, '/v1/rerank'))],
    'image-edits': [defineEndpoint('openai', customizedPath(imageEdits, '/v1/images/edits'))],
    'image-variations': [
      defineEndpoint('openai', customizedPath(imageVariations, '/v1/images/variations')),
    ],
    transcriptions: [
      defineEndpoint('openai', customizedPath(transcriptions, '/v1/audio/transcriptions')),
    ],
    translations: [
      defineEndpoint('openai', customizedPath(translations, '/v1/audio/translations')),
    ],
  },
  // Servers whose paths begin with /v1, as these documents say:
  addressPresets: [
    // https://docs.together.ai/docs/openai-api-compatibility
    { name: 'Together AI', baseUrl: 'https://api.together.xyz' },
    // https://docs.fireworks.ai/tools-sdks/openai-compatibility
    { name: 'Fireworks AI', baseUrl: 'https://api.fireworks.ai/inference' },
    // https://inference-docs.cerebras.ai/resources/openai
    { name: 'Cerebras', baseUrl: 'https://api.cerebras.ai' },
    // https://docs.api.nvidia.com/nim/reference/llm-apis
    { name: 'NVIDIA NIM', baseUrl: 'https://integrate.api.nvidia.com' },
    // https://huggingface.co/docs/inference-providers/index
    { name: 'Hugging Face', baseUrl: 'https://router.huggingface.co' },
    // https://modelscope.cn/docs/model-service/API-Inference/intro
    { name: 'ModelScope 魔搭', baseUrl: 'https://api-inference.modelscope.cn' },
    // https://platform.stepfun.com/docs/api-reference/chat/chat-completion-create
    { name: 'StepFun 阶跃星辰', baseUrl: 'https://api.stepfun.com' },
  ],
  modelListPath: '/v1/models',
  balance: dashboardBilling,
  options: z.object({
    customize: z
      .object({
        [chat]: pathField('Chat path', '/v1/chat/completions'),
        [completions]: pathField('Completions path', '/v1/completions'),
        [embeddings]: pathField('Embeddings path', '/v1/embeddings'),
        [moderations]: pathField('Moderations path', '/v1/moderations'),
        [images]: pathField('Images path', '/v1/images/generations'),
        [speech]: pathField('Speech path', '/v1/audio/speech'),
        [rerank]: pathField('Rerank path', '/v1/rerank'),
        [imageEdits]: pathField('Image edits path', '/v1/images/edits'),
        [imageVariations]: pathField('Image variations path', '/v1/images/variations'),
        [transcriptions]: pathField('Transcriptions path', '/v1/audio/transcriptions'),
        [translations]: pathField('Translations path', '/v1/audio/translations'),
      })
      .optional(),
  }),
})
