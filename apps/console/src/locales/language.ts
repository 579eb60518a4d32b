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

/** Texts that many pages need, in one file each. Every other file is loaded by the pages that name it. */
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
  security: {
    zh_CN: () => import('./zh_CN/security.ts'),
    zh_HK: () => import('./zh_HK/security.ts'),
    en_US: () => import('./en_US/security.ts'),
    ja_JP: () => import('./ja_JP/security.ts'),
  },
}
type TextGroup = keyof typeof textGroups
const isTextGroup = (name: string): name is TextGroup => name in textGroups

const pageTexts = import.meta.glob<object>(
  [
    './*/*.json',
    '!./*/{account,common,faults,footer,menu,models,notice,profile,rules,sign-in,status,usage}.json',
    '!./*/{dashboard,prices,tokens}.json',
    '!./*/{oauth,passkeys,sessions,telegram-account,wechat}.json',
  ],
  { import: 'default' },
)

/** The files that belong to no group, such as `channels`. */
export const pageTextNames = [
  ...new Set(Object.keys(pageTexts).map(path => path.replace(/^.*\/|\.json$/g, ''))),
]

/** The texts of a group, or of one file such as `channels`. Throws if there are none of that name. */
const fetchTexts = async (name: string, language: Language): Promise<object> => {
  if (isTextGroup(name)) return (await textGroups[name][language]()).default
  const load = pageTexts[`./${language}/${name}.json`]
  if (!load) throw new Error(`There are no texts named ${name}.`)
  return { [name]: await load() }
}

const loadedTexts = new Set(['public'])

const addTexts = async (language: Language): Promise<void> => {
  const texts = await Promise.all([...loadedTexts].map(name => fetchTexts(name, language)))
  for (const each of texts) i18next.addResourceBundle(language, 'translation', each, true, true)
}

/** Loads groups or files of texts, now and in every language chosen later. */
export const loadTexts = async (...names: string[]): Promise<void> => {
  for (const name of names) loadedTexts.add(name)
  await started
  await addTexts(i18next.language as Language)
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
  await addTexts(language)
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
