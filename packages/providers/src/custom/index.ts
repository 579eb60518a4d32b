import { z } from 'zod'
import { dashboardBilling } from '../balance.ts'
import { bucketOptions } from '../chat-options.ts'
import { apiKey, bearer, defineEndpoint, defineProvider, realtimeQuery } from '../define.ts'
import { gatewayUsage } from '../gateway-usage.ts'
import { storageSwitches } from '../stored-resources.ts'
import { customizedPath, isPath, pathField, versionedPath, withoutVersion } from './paths.ts'
import { priceFields } from './price-fields.ts'
import { tasks } from './tasks.ts'

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
const responses = '16'

// Any server with the API of https://platform.openai.com/docs/api-reference/chat. The usage flag is set, because a stream
// without usage is billed by the gateway's own estimate.
export default defineProvider({
  id: 'custom',
  name: 'Custom 自定义渠道',
  type: 8,
  baseUrl: '',
  // Vendors with a Messages API and without a type of their own: https://platform.stepfun.com/docs,
  // https://platform.xiaomimimo.com, https://longcat.chat/platform/docs, https://modelscope.cn/docs/model-service/API-Inference/intro,
  // https://docs.fireworks.ai/tools-sdks/anthropic-compatibility
  ownHosts:
    /^(api\.(stepfun\.(com|ai)|xiaomimimo\.com|longcat\.chat|fireworks\.ai)|api-inference\.modelscope\.cn)$/,
  credential: apiKey(),
  sign: bearer,
  priceFields,
  serves: {
    chat: [
      defineEndpoint('openai-chat', customizedPath(chat, '/v1/chat/completions'), {
        usageFlag: true,
        enabledBy: ({ customize }) => customize?.[chat] !== 'disable',
      }),
      // Not every server has it, so a channel must name its path: https://platform.openai.com/docs/api-reference/responses
      defineEndpoint('openai-responses', customizedPath(responses, '/v1/responses'), {
        enabledBy: ({ customize }) => isPath(customize?.[responses]),
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
    // https://developers.openai.com/api/docs/guides/realtime-websocket
    realtime: [
      defineEndpoint('openai', context =>
        realtimeQuery(withoutVersion('/v1/realtime', context.baseUrl ?? ''), context),
      ),
    ],
  },
  tasks,
  // Servers with OpenAI's paths, as these documents say. Perplexity has none: it ended Chat Completions on 27 September 2026,
  // https://docs.stigg.io/documentation/ai-agents/llm-wrappers/providers/perplexity
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
    // https://www.volcengine.com/docs/82379/1298454
    { name: 'Volcengine Ark 火山方舟', baseUrl: 'https://ark.cn-beijing.volces.com/api/v3' },
    // https://www.volcengine.com/docs/82379/1928261
    {
      name: 'Volcengine Ark Coding Plan',
      baseUrl: 'https://ark.cn-beijing.volces.com/api/coding/v3',
    },
    // https://deepinfra.com/docs/openai_api
    { name: 'DeepInfra', baseUrl: 'https://api.deepinfra.com/v1/openai' },
    // https://vercel.com/docs/ai-gateway/openai-compat
    { name: 'Vercel AI Gateway', baseUrl: 'https://ai-gateway.vercel.sh' },
    // https://doc.fastgpt.io/en/openapi
    { name: 'FastGPT', baseUrl: 'https://api.fastgpt.in/api' },
    // Its usual port on the operator's own machine: https://inference.readthedocs.io
    { name: 'Xinference', baseUrl: 'http://localhost:9997' },
  ],
  modelListPath: versionedPath('/v1/models'),
  balance: {
    ...dashboardBilling,
    paths: dashboardBilling.paths.map(versionedPath),
    fallback: { ...gatewayUsage, paths: gatewayUsage.paths.map(versionedPath) },
  },
  stores: {
    api: 'openai',
    // As at OpenAI: https://developers.openai.com/api/docs/guides/batch
    batchPriceRatio: '0.5',
    paths: {
      files: versionedPath('/v1/files'),
      uploads: versionedPath('/v1/uploads'),
      batches: versionedPath('/v1/batches'),
      'vector-stores': versionedPath('/v1/vector_stores'),
    },
  },
  options: z.object({
    ...bucketOptions,
    ...storageSwitches,
    videos: z
      .object({
        older: z.boolean().default(false).meta({ label: 'Videos at /v1/video/generations' }),
      })
      .optional(),
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
        [responses]: pathField('Responses path', 'translated to chat completions'),
      })
      .optional(),
  }),
})
