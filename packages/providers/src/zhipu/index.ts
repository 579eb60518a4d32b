import {
  apiKey,
  bearer,
  defineEndpoint,
  defineProvider,
  defineVendorEndpoint,
  type EndpointPath,
} from '../define.ts'
import { byType } from '../effort-rules.ts'
import { clamp, drop, rename, roleAs } from '../quirks.ts'
import { allToolsChat } from './all-tools.ts'
import { images } from './images.ts'
import { zhipuRules } from './model-rules.ts'
import { addAllTools, addOptionTool, options } from './options.ts'

const quirks = [
  drop(['stream_options', 'frequency_penalty', 'presence_penalty']),
  rename('max_completion_tokens', 'max_tokens'),
  clamp('temperature', 0, 1),
  clamp('top_p', 0.01, 1),
  roleAs('developer', 'system'),
  addOptionTool,
]

const otherModels = /^(?!glm-4-alltools)/

/** Behind the address of a coding plan, `/api/coding/paas/v4`, it stands at the same place. */
const messagesPath: EndpointPath = ({ baseUrl = '' }) =>
  `${/\/coding\/paas\/v4\/*$/.test(baseUrl) ? '/../../..' : '/../..'}/anthropic/v1/messages`

// Address and key (Bearer): https://docs.bigmodel.cn/cn/guide/develop/http/introduction
// Fields and their bounds, without stream_options: https://docs.bigmodel.cn/api-reference/模型-api/对话补全
// The last frame always has the usage: https://docs.bigmodel.cn/cn/guide/capabilities/streaming
export default defineProvider({
  id: 'zhipu',
  name: 'Zhipu 智谱',
  type: 16,
  baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
  // The plans are for the coding tools that these pages name: https://docs.bigmodel.cn/cn/coding-plan/tool,
  // https://docs.z.ai/devpack/quick-start
  addressPresets: [
    { name: 'GLM Coding Plan', baseUrl: 'https://open.bigmodel.cn/api/coding/paas/v4' },
    { name: 'Z.ai', baseUrl: 'https://api.z.ai/api/paas/v4' },
    { name: 'Z.ai GLM Coding Plan', baseUrl: 'https://api.z.ai/api/coding/paas/v4' },
  ],
  // https://docs.bigmodel.cn/cn/guide/develop/claude/introduction, https://docs.z.ai/devpack/tool/claude
  ownHosts: /^(open\.bigmodel\.cn|api\.z\.ai)$/,
  credential: apiKey(),
  sign: bearer,
  // https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode
  effort: [{ fields: byType() }],
  serves: {
    chat: [
      defineEndpoint('openai-chat', '/chat/completions', {
        modelRules: zhipuRules,
        onlyModels: otherModels,
        quirks,
      }),
      // Next to /api/paas/v4, the end of the base address: https://docs.bigmodel.cn/cn/guide/develop/claude/introduction
      defineEndpoint('anthropic', messagesPath, { onlyModels: otherModels }),
      defineVendorEndpoint(allToolsChat, '/chat/completions', {
        onlyModels: /^glm-4-alltools/,
        quirks: [...quirks, addAllTools],
      }),
    ],
    // Without encoding_format: https://docs.bigmodel.cn/api-reference/模型-api/文本嵌入
    embeddings: [
      defineEndpoint('openai-chat', '/embeddings', { quirks: [drop(['encoding_format'])] }),
    ],
    images: [
      defineEndpoint('vendor', '/images/generations', { translation: images, imageForm: 'url' }),
    ],
  },
  options,
  links: {
    site: 'https://bigmodel.cn',
    keys: 'https://bigmodel.cn/usercenter/proj-mgmt/apikeys',
    docs: 'https://docs.bigmodel.cn/api-reference',
  },
  // https://docs.bigmodel.cn/cn/guide/start/model-overview
  defaultModels: ['glm-5.3', 'glm-5.3-flash', 'glm-5.2', 'glm-4.7', 'glm-4.6', 'glm-4.7-flash'],
  testModel: 'glm-4.7-flash',
  errorRules: [
    // The account is overdrawn, status 429: https://docs.bigmodel.cn/cn/faq/api-code
    { match: /\b1113$/, fault: 'upstream.funds', channel: 'disable' },
  ],
})
