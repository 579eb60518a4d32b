import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import { dropsAttribution } from './attribution.ts'

const channel = (
  type: number,
  baseUrl = '',
  choice?: string,
): Parameters<typeof dropsAttribution>[0] => ({
  provider: providerOf(type)!,
  baseUrl,
  options: choice === undefined ? {} : { attribution: { claude_code: choice } },
})

it.each<[string, number, string]>([
  ['Anthropic', 14, ''],
  ['Anthropic', 14, 'https://api.anthropic.com'],
  ['an unknown host', 14, 'https://relay.example/anthropic'],
  ['a server of the operator', 14, 'http://127.0.0.1:3000'],
  ['a gateway', 14, 'https://openrouter.ai/api'],
  ['OpenRouter', 20, ''],
  ['another vendor behind a gateway', 28, 'https://relay.example'],
  ['a host whose name only begins alike', 14, 'https://api.deepseek.com.relay.example'],
])('the line stays on its way to %s (type %i, %s)', (_name, type, baseUrl) => {
  expect(dropsAttribution(channel(type, baseUrl), false)).toBe(false)
})

it.each<[number, string]>([
  [32, ''],
  [32, 'https://bedrock.proxy.example'],
  [62, ''],
  [42, ''],
  [28, ''],
  [16, ''],
  [29, ''],
  [29, 'https://api.moonshot.ai'],
  [27, ''],
  [17, ''],
  [45, ''],
  [14, 'https://api.deepseek.com/anthropic'],
  [14, 'https://open.bigmodel.cn/api/anthropic'],
  [14, 'https://api.z.ai/api/anthropic'],
  [14, 'https://api.moonshot.cn/anthropic'],
  [14, 'https://api.kimi.com/coding'],
  [14, 'https://api.minimax.io/anthropic'],
  [14, 'https://api.minimaxi.com/anthropic'],
  [14, 'https://dashscope.aliyuncs.com/apps/anthropic'],
  [14, 'https://dashscope-intl.aliyuncs.com/apps/anthropic'],
  [14, 'https://coding.dashscope.aliyuncs.com/apps/anthropic'],
  [14, 'https://ark.cn-beijing.volces.com/api/coding'],
  [14, 'https://api.siliconflow.cn'],
  [14, 'https://api.stepfun.com'],
  [14, 'https://api.xiaomimimo.com/anthropic'],
  [14, 'https://bedrock-mantle.us-east-1.api.aws/anthropic'],
])('the line is removed on its way to type %i at %s', (type, baseUrl) => {
  expect(dropsAttribution(channel(type, baseUrl), false)).toBe(true)
})

it('a request in another dialect loses the line wherever it goes', () => {
  expect(dropsAttribution(channel(14, 'https://relay.example'), true)).toBe(true)
})

it.each([true, false])('the option of the channel decides first (translated: %s)', isTranslated => {
  for (const type of [14, 28, 32]) {
    expect(dropsAttribution(channel(type, '', 'keep'), isTranslated)).toBe(false)
    expect(dropsAttribution(channel(type, '', 'drop'), isTranslated)).toBe(true)
    expect(dropsAttribution(channel(type, '', 'automatic'), isTranslated)).toBe(
      dropsAttribution(channel(type), isTranslated),
    )
  }
})
