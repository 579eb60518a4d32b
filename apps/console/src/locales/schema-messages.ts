import i18next from 'i18next'
import { config } from 'zod'
import type { Language } from './language.ts'

const loadMessages = {
  zh_CN: () => import('zod/v4/locales/zh-CN.js'),
  zh_HK: () => import('zod/v4/locales/zh-TW.js'),
  en_US: () => import('zod/v4/locales/en.js'),
  ja_JP: () => import('zod/v4/locales/ja.js'),
}

const apply = async (language: string) => {
  const messages = await loadMessages[language as Language]()
  config(messages.default())
}

// Set here and not with the texts, because pages without forms do not load Zod.
if (i18next.language) void apply(i18next.language)
i18next.on('languageChanged', apply)
