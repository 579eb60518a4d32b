import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const
export type Language = (typeof languages)[number]

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = {
  zh_CN: '简体中文',
  zh_HK: '繁體中文',
  en_US: 'English',
  ja_JP: '日本語',
}

/** Pages load only the groups of texts that they need: `rare` are long texts of single pages. */
const textGroups = {
  public: {
    zh_CN: () => import('./zh_CN/public.ts'),
    zh_HK: () => import('./zh_HK/public.ts'),
    en_US: () => import('./en_US/public.ts'),
    ja_JP: () => import('./ja_JP/public.ts'),
  },
  console: {
    zh_CN: () => import('./zh_CN/console.ts'),
    zh_HK: () => import('./zh_HK/console.ts'),
    en_US: () => import('./en_US/console.ts'),
    ja_JP: () => import('./ja_JP/console.ts'),
  },
  rare: {
    zh_CN: () => import('./zh_CN/rare.ts'),
    zh_HK: () => import('./zh_HK/rare.ts'),
    en_US: () => import('./en_US/rare.ts'),
    ja_JP: () => import('./ja_JP/rare.ts'),
  },
}
type TextGroup = keyof typeof textGroups
const loadedGroups = new Set<TextGroup>(['public'])

const loadTexts = async (language: Language): Promise<void> => {
  const texts = await Promise.all([...loadedGroups].map(group => textGroups[group][language]()))
  for (const each of texts)
    i18next.addResourceBundle(language, 'translation', each.default, true, true)
}

/** Loads a group of texts, now and in every language chosen later. */
export const loadTextGroup = async (group: TextGroup): Promise<void> => {
  loadedGroups.add(group)
  await started
  await loadTexts(i18next.language as Language)
}

export const isLanguage = (text: unknown): text is Language =>
  (languages as readonly unknown[]).includes(text)

/** The first language of the browser that the console has. */
const browserLanguage = (): Language | undefined => {
  for (const tag of navigator.languages ?? []) {
    if (/^zh(-(hant|tw|hk|mo)\b)/i.test(tag)) return 'zh_HK'
    const found = languages.find(each => each.slice(0, 2) === tag.slice(0, 2).toLowerCase())
    if (found) return found
  }
  return undefined
}

/** The language of the address, the stored choice, the browser's, the site's default, or Chinese. */
export const preferredLanguage = (site?: string): Language => {
  const requested = new URLSearchParams(location.search).get('lng')
  const stored = localStorage.getItem('appLanguage')
  return [requested, stored, browserLanguage(), site].find(isLanguage) ?? 'zh_CN'
}

export const setLanguage = async (language: Language): Promise<void> => {
  await loadTexts(language)
  document.documentElement.lang = language.replace('_', '-')
  await i18next.changeLanguage(language)
}

export const chooseLanguage = (language: Language): Promise<void> => {
  localStorage.setItem('appLanguage', language)
  return setLanguage(language)
}

const { promise: started, resolve: setStarted } = Promise.withResolvers<void>()

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
  setStarted()
}
