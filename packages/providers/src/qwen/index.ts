import { apiKey, bearer, defineProvider, speak } from '../define.ts'
import { drop, rename, roleAs } from '../quirks.ts'

// Path, fields, stream_options.include_usage: https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope
// The address is One Hub's. That page now names one per workspace, https://{WorkspaceId}.{region}.maas.aliyuncs.com, and
// for keys from outside China https://dashscope-intl.aliyuncs.com; a key is good in its region only.
// The vendor's Responses API leaves out what it does not know, `instructions` among it, without a word: not used here.
// https://www.alibabacloud.com/help/ja/model-studio/qwen-api-via-openai-responses
export default defineProvider({
  id: 'qwen',
  name: 'Ali Qwen 阿里通义千问',
  type: 17,
  baseUrl: 'https://dashscope.aliyuncs.com',
  credential: apiKey(),
  sign: bearer,
  serves: {
    chat: [
      speak('openai-chat', '/compatible-mode/v1/chat/completions', {
        usageFlag: true,
        quirks: [rename('max_completion_tokens', 'max_tokens'), roleAs('developer', 'system')],
      }),
      // Takes the key as Bearer too: https://docs.qwencloud.com/api-reference/chat/anthropic
      speak('anthropic', '/apps/anthropic/v1/messages'),
    ],
    // Numbers only: https://help.aliyun.com/en/model-studio/embedding-interfaces-compatible-with-openai
    embeddings: [
      speak('openai-chat', '/compatible-mode/v1/embeddings', {
        quirks: [drop(['encoding_format', 'user'])],
      }),
    ],
  },
  links: {
    site: 'https://www.aliyun.com/product/bailian',
    keys: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    docs: 'https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope',
  },
  presets: [
    'qwen3.6-plus',
    'qwen3.6-flash',
    'qwen3-max',
    'qwen-plus',
    'qwen-flash',
    'qwen3-coder-plus',
  ],
  testModel: 'qwen-flash',
  // One Hub's.
  models: '/compatible-mode/v1/models',
  // https://www.alibabacloud.com/help/en/model-studio/error-code
  means: [{ match: /\bArrearage\b/, fault: 'upstream.credential', channel: 'disable' }],
})
