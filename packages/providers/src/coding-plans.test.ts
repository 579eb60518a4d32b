import { expect, it } from 'vitest'
import { addressOf } from './address.ts'
import { providers } from './index.ts'

/** The addresses of chat completions and Messages behind each preset, as the vendors document them. */
const documented: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  zhipu: {
    '': [
      'https://open.bigmodel.cn/api/paas/v4/chat/completions',
      'https://open.bigmodel.cn/api/anthropic/v1/messages',
    ],
    'GLM Coding Plan': [
      'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions',
      'https://open.bigmodel.cn/api/anthropic/v1/messages',
    ],
    'Z.ai': [
      'https://api.z.ai/api/paas/v4/chat/completions',
      'https://api.z.ai/api/anthropic/v1/messages',
    ],
    'Z.ai GLM Coding Plan': [
      'https://api.z.ai/api/coding/paas/v4/chat/completions',
      'https://api.z.ai/api/anthropic/v1/messages',
    ],
  },
  moonshot: {
    '': [
      'https://api.moonshot.cn/v1/chat/completions',
      'https://api.moonshot.cn/anthropic/v1/messages',
    ],
    'Kimi international': [
      'https://api.moonshot.ai/v1/chat/completions',
      'https://api.moonshot.ai/anthropic/v1/messages',
    ],
    'Kimi Code': [
      'https://api.kimi.com/coding/v1/chat/completions',
      'https://api.kimi.com/coding/v1/messages',
    ],
  },
  minimax: {
    '': [
      'https://api.minimax.chat/v1/chat/completions',
      'https://api.minimax.chat/anthropic/v1/messages',
    ],
    'Token Plan': [
      'https://api.minimaxi.com/v1/chat/completions',
      'https://api.minimaxi.com/anthropic/v1/messages',
    ],
    'Token Plan international': [
      'https://api.minimax.io/v1/chat/completions',
      'https://api.minimax.io/anthropic/v1/messages',
    ],
  },
  qwen: {
    '': [
      'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions',
      'https://dashscope.aliyuncs.com/apps/anthropic/v1/messages',
    ],
    International: [
      'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions',
      'https://dashscope-intl.aliyuncs.com/apps/anthropic/v1/messages',
    ],
    'Coding Plan': [
      'https://coding.dashscope.aliyuncs.com/v1/chat/completions',
      'https://coding.dashscope.aliyuncs.com/apps/anthropic/v1/messages',
    ],
    'Coding Plan international': [
      'https://coding-intl.dashscope.aliyuncs.com/v1/chat/completions',
      'https://coding-intl.dashscope.aliyuncs.com/apps/anthropic/v1/messages',
    ],
  },
}

it.each(Object.entries(documented))(
  'the presets of %s lead to the documented paths',
  (id, rows) => {
    const provider = providers.find(each => each.id === id)!
    const presets = [{ name: '', baseUrl: '' }, ...provider.addressPresets]
    const shared = { model: 'm', stream: false, options: {}, other: '' }
    const found = presets.map(({ name, baseUrl }) => [
      name,
      (['openai-chat', 'anthropic'] as const).map(dialect => {
        const endpoint = provider.serves.chat!.find(each => each.dialect === dialect)!
        return new URL(addressOf(provider, endpoint, { ...shared, baseUrl })!).href
      }),
    ])
    expect(Object.fromEntries(found)).toEqual(rows)
  },
)
