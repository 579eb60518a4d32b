import { z } from 'zod'
import { apiKey, bearer, defineEndpoint, defineProvider, type EndpointPath } from '../define.ts'
import { byBudgetRules } from '../effort-rules.ts'
import { addIfEnabled, drop, rename, roleAs } from '../quirks.ts'
import { qwenRules } from './model-rules.ts'
import { tasks } from './tasks.ts'

/** Models that search, as in One Hub, and the later ones that the document of `options` names. */
const searchModels = /qwen-(plus|turbo|max|flash)|qwq-plus|qwen3-max|qwen3\.\d+-(plus|flash)/

/** A coding plan has a host of its own, with OpenAI's usual path: https://docs.openclaw.ai/providers/modelstudio */
const chatPath: EndpointPath = ({ baseUrl = '' }) =>
  /^https:\/\/coding(-intl)?\./.test(baseUrl)
    ? '/v1/chat/completions'
    : '/compatible-mode/v1/chat/completions'

// Path, fields, stream_options.include_usage: https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope
// The address is One Hub's. That page now gives one per workspace, https://{WorkspaceId}.{region}.maas.aliyuncs.com, and
// for keys from outside China https://dashscope-intl.aliyuncs.com; a key works in its region only.
// The vendor's Responses API is not used, because it silently ignores unknown fields, `instructions` included:
// https://www.alibabacloud.com/help/ja/model-studio/qwen-api-via-openai-responses
export default defineProvider({
  id: 'qwen',
  name: 'Ali Qwen 阿里通义千问',
  type: 17,
  baseUrl: 'https://dashscope.aliyuncs.com',
  // https://www.alibabacloud.com/help/en/model-studio/base-url
  addressPresets: [
    { name: 'International', baseUrl: 'https://dashscope-intl.aliyuncs.com' },
    { name: 'Coding Plan', baseUrl: 'https://coding.dashscope.aliyuncs.com' },
    { name: 'Coding Plan international', baseUrl: 'https://coding-intl.dashscope.aliyuncs.com' },
  ],
  // https://help.aliyun.com/zh/model-studio/claude-code
  ownHosts: /^(coding(-intl)?\.)?dashscope(-intl|-us)?\.aliyuncs\.com$/,
  credential: apiKey(),
  sign: bearer,
  // https://help.aliyun.com/zh/model-studio/deep-thinking
  effort: byBudgetRules,
  serves: {
    chat: [
      defineEndpoint('openai-chat', chatPath, {
        usageFlag: true,
        modelRules: qwenRules,
        quirks: [
          rename('max_completion_tokens', 'max_tokens'),
          roleAs('developer', 'system'),
          addIfEnabled('web_search', { enable_search: true }, searchModels),
        ],
      }),
      // Accepts the key as Bearer too: https://docs.qwencloud.com/api-reference/chat/anthropic
      defineEndpoint('anthropic', '/apps/anthropic/v1/messages'),
    ],
    // Returns numbers only: https://help.aliyun.com/en/model-studio/embedding-interfaces-compatible-with-openai
    embeddings: [
      defineEndpoint('openai-chat', '/compatible-mode/v1/embeddings', {
        quirks: [drop(['encoding_format', 'user'])],
      }),
    ],
  },
  tasks,
  // enable_search: https://www.alibabacloud.com/help/zh/model-studio/web-search
  options: z.object({
    web_search: z
      .object({
        enable: z.boolean().default(false).meta({ label: 'Search the web' }),
      })
      .optional(),
  }),
  links: {
    site: 'https://www.aliyun.com/product/bailian',
    keys: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    docs: 'https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope',
  },
  defaultModels: [
    'qwen3.8-max',
    'qwen3.8-flash',
    'qwen3.6-plus',
    'qwen3.6-flash',
    'qwen3-max',
    'qwen-plus',
    'qwen-flash',
    'qwen3-coder-plus',
    'wan2.7-t2v',
    'wan2.7-i2v',
  ],
  testModel: 'qwen-flash',
  // The path of One Hub.
  modelListPath: '/compatible-mode/v1/models',
  // https://www.alibabacloud.com/help/en/model-studio/error-code
})
