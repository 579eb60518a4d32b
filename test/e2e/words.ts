import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../harness/paths.ts'

export const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const
export type Language = (typeof languages)[number]

/** The words a person reads, from the same files as the page: a test names things as the reader does. */
export const words =
  (language: Language) =>
  (key: string, values: Record<string, string> = {}): string => {
    const [file = '', ...path] = key.split('.')
    const text = readFileSync(
      join(root, `apps/console/src/locales/${language}/${file}.json`),
      'utf8',
    )
    const found = path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown>)?.[name],
      JSON.parse(text),
    )
    if (typeof found !== 'string') throw new Error(`${language} has no word for ${key}`)
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  }
