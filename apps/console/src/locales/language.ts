import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { config } from 'zod'

export const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const
export type Language = (typeof languages)[number]

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = {
  zh_CN: '简体中文',
  zh_HK: '繁體中文',
  en_US: 'English',
  ja_JP: '日本語',
}

const loadTexts = {
  zh_CN: () => import('./zh_CN/index.ts'),
  zh_HK: () => import('./zh_HK/index.ts'),
  en_US: () => import('./en_US/index.ts'),
  ja_JP: () => import('./ja_JP/index.ts'),
}
/** Zod's messages for validation errors. */
const loadSchemaMessages = {
  zh_CN: async () => (await import('zod/v4/locales/zh-CN.js')).default(),
  zh_HK: async () => (await import('zod/v4/locales/zh-TW.js')).default(),
  en_US: async () => (await import('zod/v4/locales/en.js')).default(),
  ja_JP: async () => (await import('zod/v4/locales/ja.js')).default(),
}

export const isLanguage = (text: unknown): text is Language =>
  (languages as readonly unknown[]).includes(text)

/** The language of the address, the stored choice, the site's default, or Chinese. */
export const preferredLanguage = (site?: string): Language => {
  const requested = new URLSearchParams(location.search).get('lng')
  const stored = localStorage.getItem('appLanguage')
  return [requested, stored, site].find(isLanguage) ?? 'zh_CN'
}

export const setLanguage = async (language: Language): Promise<void> => {
  const [loaded, schemaMessages] = await Promise.all([
    loadTexts[language](),
    loadSchemaMessages[language](),
  ])
  config(schemaMessages)
  i18next.addResourceBundle(language, 'translation', loaded.default, true, true)
  document.documentElement.lang = language.replace('_', '-')
  await i18next.changeLanguage(language)
}

export const chooseLanguage = (language: Language): Promise<void> => {
  localStorage.setItem('appLanguage', language)
  return setLanguage(language)
}

export const startLanguage = async (language: Language): Promise<void> => {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    interpolation: { escapeValue: false },
    resources: {},
    load: 'currentOnly',
    // One Hub's codes contain an underscore, at which i18next must not split them.
    supportedLngs: false,
    cleanCode: false,
    lowerCaseLng: false,
    react: { useSuspense: false },
  })
  await setLanguage(language)
}
