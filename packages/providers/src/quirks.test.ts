import { type DialectId, dialectOf, openaiChat } from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { addressOf } from './address.ts'
import { apiKeyHeader, apiKeyQuery } from './define.ts'
import { providerOf, providers } from './index.ts'
import {
  add,
  clamp,
  deepEdits,
  drop,
  modelArgumentEdits,
  type Quirk,
  rename,
  roleAs,
  topEdits,
} from './quirks.ts'

const sent = (quirks: Quirk[], body: string, model = 'm') => {
  const read = openaiChat.read(Buffer.from(body))
  if (!read.ok) throw new Error(read.hint)
  const spliced = openaiChat.splice(read.parsed, topEdits(quirks, read.parsed, model, {}))
  return String(deepEdits(quirks, spliced, model))
}

describe('quirks', () => {
  it('change the fields that they name and no other byte', () => {
    const body = '{"model":"m","temperature":1.90, "a":9007199254740993,"stop":["x"],"max":1.0}'
    const quirks = [drop(['stop', 'no']), clamp('temperature', 0, 1), add({ a: 1, b: 2 })]
    expect(sent(quirks, body)).toBe(
      '{"model":"m","temperature":1, "a":9007199254740993,"max":1.0,"b":2}',
    )
  })

  it('rename keeps the value under the name of the vendor if a body has both names', () => {
    const quirks = [rename('max_completion_tokens', 'max_tokens')]
    expect(sent(quirks, '{"model":"m","max_completion_tokens":5}')).toBe(
      '{"model":"m","max_tokens":5}',
    )
    expect(sent(quirks, '{"model":"m","max_completion_tokens":5,"max_tokens":3}')).toBe(
      '{"model":"m","max_tokens":3}',
    )
  })

  it('see the edits before them, and apply to their models only', () => {
    const quirks = [add({ top: 9 }), clamp('top', 0, 2), drop(['model'], /^other/)]
    expect(sent(quirks, '{"model":"m"}')).toBe('{"model":"m","top":2}')
  })

  it('roleAs keeps the bytes of a body without that role', () => {
    const quirks = [roleAs('developer', 'system')]
    const plain = '{"model":"m", "messages":[{"role":"user","content":"1.0"}]}'
    expect(sent(quirks, plain)).toBe(plain)
    expect(sent(quirks, '{"model":"m","messages":[{"role":"developer","content":"x"}]}')).toBe(
      '{"model":"m","messages":[{"role":"system","content":"x"}]}',
    )
  })
})

describe('the register', () => {
  it('has every channel type once, and none that is an owner only', () => {
    const types = providers.map(each => each.type)
    expect(new Set(types).size).toBe(types.length)
    expect(new Set(providers.map(each => each.id)).size).toBe(types.length)
    expect(types.length).toBe(50)
    for (const owner of [43, 44, 46, 48]) expect(types).not.toContain(owner)
    // The login of a subscription.
    for (const type of [57, 58, 59, 60]) expect(providerOf(type)).toBeUndefined()
    expect(providerOf(1)?.id).toBe('openai')
    expect(providerOf(49)).toBeUndefined()
    expect(providerOf(53)?.id).toBe('kling')
    expect(providerOf(2)).toBeUndefined()
  })
})

describe('an address', () => {
  const credential = 'us-east-1|secret'
  const channel = { model: 'm', stream: true, options: {}, other: '', baseUrl: '', credential }
  const chatAddress = (type: number, more: object = {}) => {
    const provider = providerOf(type)!
    return addressOf(provider, provider.serves.chat![0]!, { ...channel, ...more })
  }

  it('is the base address and the path, with one slash between them', () => {
    expect(chatAddress(1)).toBe('https://api.openai.com/v1/chat/completions')
    expect(chatAddress(1, { baseUrl: 'http://localhost:1//' })).toBe(
      'http://localhost:1/v1/chat/completions',
    )
  })

  it('of every provider is the documented one', () => {
    const addresses = providers
      .filter(each => each.serves.chat)
      .map(each => {
        const baseUrl = each.baseUrl ? '' : 'http://a.example'
        return [
          each.id,
          chatAddress(each.type, { baseUrl, other: each.placeholders ? 'us-east5|p' : '' }),
        ]
      })
    expect(Object.fromEntries(addresses)).toEqual({
      openai: 'https://api.openai.com/v1/chat/completions',
      custom: 'http://a.example/v1/chat/completions',
      'upstream-gateway': 'http://a.example/v1/chat/completions',
      anthropic: 'https://api.anthropic.com/v1/messages',
      zhipu: 'https://open.bigmodel.cn/api/paas/v4/chat/completions',
      ai360: 'http://a.example/v1/chat/completions',
      azure: 'http://a.example/openai/deployments/m/chat/completions?api-version=2024-10-21',
      'azure-v1': 'http://a.example/openai/v1/chat/completions',
      databricks: 'http://a.example/serving-endpoints/chat/completions',
      qwen: 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions',
      qianfan: 'https://qianfan.baidubce.com/v2/chat/completions',
      spark: 'https://spark-api-open.xf-yun.com/v1/chat/completions',
      cloudflare: 'https://api.cloudflare.com/client/v4/accounts/us-east-1/ai/v1/chat/completions',
      bedrock:
        'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke-with-response-stream',
      vertex:
        'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/google/models/m:streamGenerateContent?alt=sse',
      'vertex-express':
        'https://aiplatform.googleapis.com/v1/publishers/google/models/m:streamGenerateContent?alt=sse',
      'bedrock-messages': 'https://bedrock-mantle.us-east-1.api.aws/anthropic/v1/messages',
      coze: 'https://api.coze.com/v3/chat',
      replicate: 'https://api.replicate.com/v1/models/m/predictions',
      cohere: 'https://api.cohere.ai/v2/chat',
      openrouter: 'https://openrouter.ai/api/v1/chat/completions',
      baichuan: 'https://api.baichuan-ai.com/v1/chat/completions',
      gemini:
        'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
      minimax: 'https://api.minimax.chat/v1/chat/completions',
      deepseek: 'https://api.deepseek.com/chat/completions',
      moonshot: 'https://api.moonshot.cn/v1/chat/completions',
      mistral: 'https://api.mistral.ai/v1/chat/completions',
      groq: 'https://api.groq.com/openai/v1/chat/completions',
      lingyi: 'https://api.lingyiwanwu.com/v1/chat/completions',
      ollama: 'https://ollama.com/v1/chat/completions',
      hunyuan: 'https://tokenhub.tencentmaas.com/v1/chat/completions',
      siliconflow: 'https://api.siliconflow.cn/v1/chat/completions',
      xai: 'https://api.x.ai/v1/chat/completions',
    })
  })

  it('of every further dialect is the documented one', () => {
    const addresses = providers.flatMap(provider =>
      (provider.serves.chat ?? []).slice(1).map(endpoint => {
        const baseUrl = provider.baseUrl || 'http://a.example'
        const other = provider.placeholders ? 'us-east5|p' : ''
        const address = addressOf(provider, endpoint, { ...channel, baseUrl, other })
        return [`${provider.id} ${endpoint.dialect}`, new URL(address!).href]
      }),
    )
    expect(Object.fromEntries(addresses)).toEqual({
      'openai openai-responses': 'https://api.openai.com/v1/responses',
      'azure openai-responses': 'http://a.example/openai/v1/responses',
      'custom openai-responses': 'http://a.example/v1/responses',
      'upstream-gateway openai-responses': 'http://a.example/v1/responses',
      'upstream-gateway anthropic': 'http://a.example/v1/messages',
      'upstream-gateway gemini': 'http://a.example/v1beta/models/m:streamGenerateContent?alt=sse',
      'bedrock converse': 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream',
      'bedrock-messages openai-chat':
        'https://bedrock-mantle.us-east-1.api.aws/v1/chat/completions',
      'gemini openai-chat':
        'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
      'vertex openai-chat':
        'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/endpoints/openapi/chat/completions',
      'zhipu anthropic': 'https://open.bigmodel.cn/api/anthropic/v1/messages',
      'zhipu zhipu-alltools-native': 'https://open.bigmodel.cn/api/paas/v4/chat/completions',
      'qwen anthropic': 'https://dashscope.aliyuncs.com/apps/anthropic/v1/messages',
      'openrouter anthropic': 'https://openrouter.ai/api/v1/messages',
      'openrouter openai-responses': 'https://openrouter.ai/api/v1/responses',
      'minimax anthropic': 'https://api.minimax.chat/anthropic/v1/messages',
      'deepseek anthropic': 'https://api.deepseek.com/anthropic/v1/messages',
      'moonshot anthropic': 'https://api.moonshot.cn/anthropic/v1/messages',
      'groq openai-responses': 'https://api.groq.com/openai/v1/responses',
      'cloudflare openai-responses':
        'https://api.cloudflare.com/client/v4/accounts/us-east-1/ai/v1/responses',
      'siliconflow anthropic': 'https://api.siliconflow.cn/v1/messages',
      'databricks anthropic': 'http://a.example/serving-endpoints/anthropic/v1/messages',
      'azure-v1 openai-responses': 'http://a.example/openai/v1/responses',
      'vertex anthropic':
        'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/m:streamRawPredict',
      'xai openai-responses': 'https://api.x.ai/v1/responses',
    })
  })

  it('omits the part of the path that the address of a gateway contains', () => {
    const baseUrl = 'https://gateway.ai.cloudflare.com/v1/acc/gw/openai'
    expect(chatAddress(1, { baseUrl })).toBe(`${baseUrl}/chat/completions`)
    expect(chatAddress(3, { baseUrl, other: '2025-01-01-preview' })).toBe(
      `${baseUrl}/m/chat/completions?api-version=2025-01-01-preview`,
    )
  })

  it('has the API version from the free field of the channel', () => {
    const baseUrl = 'http://a.example'
    expect(chatAddress(55, { baseUrl, other: 'preview' })).toBe(
      `${baseUrl}/openai/v1/chat/completions?api-version=preview`,
    )
    expect(chatAddress(3, { baseUrl, model: 'a/b?c', other: 'x&y' })).toBe(
      `${baseUrl}/openai/deployments/a%2Fb%3Fc/chat/completions?api-version=x%26y`,
    )
  })

  it('of a custom channel comes from its options', () => {
    const custom = (path: string) =>
      chatAddress(8, { baseUrl: 'http://a.example', options: { customize: { 1: path } } })
    expect(custom('/api/chat')).toBe('http://a.example/api/chat')
    expect(custom('')).toBe('http://a.example/v1/chat/completions')
    expect(custom('@evil.example/x')).toBe('http://a.example/v1/chat/completions')
    expect(custom('disable')).toBeUndefined()
    expect(chatAddress(8)).toBeUndefined()
  })
})

describe('fields that a vendor does not know are not sent', () => {
  const sentTo = (type: number, body: object, model = 'm'): Record<string, unknown> =>
    JSON.parse(sent([...providerOf(type)!.serves.chat![0]!.quirks], JSON.stringify(body), model))
  const callable = providers.filter(each => each.serves.chat)

  it('only these vendors need the limit as max_tokens', () => {
    const withMaxTokens = callable.filter(
      each => sentTo(each.type, { model: 'm', max_completion_tokens: 9 }).max_tokens,
    )
    expect(withMaxTokens.map(each => each.id).sort()).toEqual(
      'ai360 baichuan cloudflare databricks deepseek hunyuan lingyi mistral ollama qianfan qwen siliconflow spark zhipu'.split(
        ' ',
      ),
    )
  })

  it('stream_options reach vendors with the usage flag, and one vendor that ignores them', () => {
    const body = { model: 'm', stream_options: { include_usage: true } }
    const flagged = callable.filter(each => each.serves.chat![0]!.usageFlag).map(each => each.id)
    const isOpenAiChat = (id: DialectId) => id === 'openai-chat'
    const passed = callable
      .filter(
        each =>
          isOpenAiChat(each.serves.chat![0]!.dialect) && sentTo(each.type, body).stream_options,
      )
      .map(each => each.id)
    expect(flagged.sort()).toEqual(
      'azure azure-v1 cloudflare custom deepseek groq hunyuan minimax moonshot ollama openai qianfan qwen upstream-gateway xai'.split(
        ' ',
      ),
    )
    expect(passed.sort()).toEqual([...flagged, 'openrouter'].sort())
  })

  it.each([
    [32, 0, { max_tokens: 1, anthropic_version: 'bedrock-2023-05-31' }],
    [42, 1, { stream: true, max_tokens: 1, anthropic_version: 'vertex-2023-10-16' }],
  ])(
    'Claude at another vendor, type %s: the model is in the address only',
    (type, index, expected) => {
      const { quirks } = providerOf(type)!.serves.chat![index]!
      const body = JSON.stringify({ model: 'm', stream: true, max_tokens: 1 })
      expect(JSON.parse(sent([...quirks], body))).toEqual(expected)
    },
  )

  it.each([
    ['grok-4.7', { reasoning_effort: 'low' }],
    ['grok-4-0709', {}],
    ['grok-3-mini', { reasoning_effort: 'low' }],
    ['grok-4.20-0309-reasoning', {}],
    ['grok-4.20-0309-non-reasoning', { stop: ['x'] }],
  ])('xAI: %s', (model, expected) => {
    const body = { reasoning_effort: 'low', stop: ['x'] }
    expect(sentTo(56, { model, ...body }, model)).toEqual({ model, ...expected })
  })
})

it('an argument after a model’s name sets the effort where each dialect has it', () => {
  const edits = (argument: string, dialect: 'openai-chat' | 'openai-responses', body: object) => {
    const text = Buffer.from(JSON.stringify({ model: 'm', ...body }))
    const result = dialectOf(dialect).read(text)
    if (!result.ok) throw new Error(result.hint)
    return modelArgumentEdits(argument, 'gpt-5.4', dialect, result.parsed)
  }
  expect(edits('high', 'openai-chat', {})).toEqual({ reasoning_effort: 'high' })
  expect(edits('high', 'openai-responses', {})).toEqual({ reasoning: { effort: 'high' } })
  const reasoning = { effort: 'low', summary: 'auto' }
  expect(edits('high', 'openai-responses', { reasoning })).toEqual({
    reasoning: { effort: 'high', summary: 'auto' },
  })
  expect(edits('whatever', 'openai-responses', {})).toEqual({})
})

it('signs in a header or in the query', () => {
  const context = { now: () => 0 }
  expect(apiKeyHeader('X-Key')(context, 'c')).toEqual({ headers: { 'x-key': 'c' }, query: {} })
  expect(apiKeyQuery('key')(context, 'c')).toEqual({ headers: {}, query: { key: 'c' } })
})
