import type { Language } from './words.ts'

export type Look = { language: Language; theme: 'light' | 'dark'; width: 390 | 768 | 1440 }

const languages = ['zh_CN', 'en_US', 'ja_JP', 'zh_HK'] as const
const widths = [390, 768, 1440] as const

/** The 12 pairs of a language and a width. Each language and each width is seen in both themes. */
export const looks: readonly Look[] = Array.from({ length: 12 }, (_, index) => ({
  language: languages[index % 4]!,
  width: widths[index % 3]!,
  theme: (index + Math.floor(index / 4)) % 2 ? 'dark' : 'light',
}))

/**
 * The looks in which one of four runs sees a page. After the first two, the page was seen in two languages and two
 * widths, and the pages together in all looks; after the four, the page in each language, width and theme.
 * E2E_LOOKS=all: each page is seen in all looks.
 */
export const looksOf = (run: number, page: number): Look[] => {
  const starts = process.env.E2E_LOOKS === 'all' ? [0, 4, 8] : [0]
  return starts.map(start => looks[(page + run + start) % looks.length]!)
}
