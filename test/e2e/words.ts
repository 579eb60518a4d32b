import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../harness/paths.ts'

export type Language = 'zh_CN' | 'en_US'

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
