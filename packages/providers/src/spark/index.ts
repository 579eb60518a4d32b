import { bearer, defineEndpoint, defineProvider, secret } from '../define.ts'
import { drop, type Quirk, rename, roleAs } from '../quirks.ts'
import type { Sign } from '../signing.ts'

/** By the version in the address of the WebSocket API. */
const modelIds: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}

/** One Hub names a model `SparkDesk-v3.5`, or `SparkDesk` with the version in the channel's free field. */
const nameModel: Quirk = {
  reach: 'top',
  onlyModels: /^SparkDesk/,
  edit: (view, _options, _model, other) => {
    const [, version = other || 'v1.1'] = String(view.get('model')).split('-')
    const name = modelIds[version]
    if (name) view.set('model', name)
  },
}

/** Without this switch a message has one call in place of the list. */
const listToolCalls: Quirk = {
  reach: 'top',
  edit: view => {
    if (view.has('tools')) view.set('tool_calls_switch', true)
  },
}

/** A key of the HTTP API is sent as it is; a key of the WebSocket API as `APIKey:APISecret`. */
const sign: Sign = (context, credential) => {
  const [, secretPart, key] = credential.split('|')
  return bearer(context, key ? `${key}:${secretPart}` : credential)
}

// Address, fields, tool_calls_switch; the last frame always has the usage: https://www.xfyun.cn/doc/spark/HTTP调用文档.html
// Reasoning models, and the keys of both APIs as Bearer: https://www.xfyun.cn/doc/spark/X1http.html
// One Hub's WebSocket API is not used, because the HTTP API accepts its keys and has OpenAI's shape.
export default defineProvider({
  id: 'spark',
  name: 'Xunfei Spark 讯飞星火认知',
  type: 18,
  freeField: 'model_version',
  baseUrl: 'https://spark-api-open.xf-yun.com',
  credential: secret()
    .regex(/^[^|]+(\|[^|]+\|[^|]+)?$/)
    .meta({ secret: true, label: 'APIPassword, or APPID|APISecret|APIKey' }),
  sign,
  serves: {
    chat: [
      defineEndpoint(
        'openai-chat',
        ({ model }) => (/^x\d/i.test(model) ? '/v2/chat/completions' : '/v1/chat/completions'),
        {
          quirks: [
            nameModel,
            listToolCalls,
            drop(['stream_options']),
            rename('max_completion_tokens', 'max_tokens'),
            roleAs('developer', 'system'),
          ],
        },
      ),
    ],
  },
  links: {
    site: 'https://xinghuo.xfyun.cn/sparkapi',
    keys: 'https://console.xfyun.cn/services/bm4',
    docs: 'https://www.xfyun.cn/doc/spark/HTTP调用文档.html',
  },
  defaultModels: ['4.0Ultra', 'generalv3.5', 'max-32k', 'generalv3', 'pro-128k', 'lite', 'x1'],
  testModel: 'lite',
  keyHint: 'APIPassword, or APPID|APISecret|APIKey',
})
