import { codeOf, filesIn, foldersIn, isCode, read } from '../tree.ts'

const base = 'apps/console/src/locales'

const keysOf = (value: unknown, prefix: string): string[] =>
  value && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, each]) => keysOf(each, `${prefix}.${key}`))
    : [prefix]

const keysOfLanguage = (language: string): Set<string> =>
  new Set(
    filesIn(`${base}/${language}`)
      .filter(path => path.endsWith('.json'))
      .flatMap(path => keysOf(JSON.parse(read(path)), path.replace(/^.*\/|\.json$/g, ''))),
  )

/** i18next's plural endings: Chinese and Japanese have one form where English has two. */
const singular = (key: string) => key.replace(/_(one|other|zero|two|few|many)$/, '')

/** Keys that a language is missing, and keys in the code that no language has. */
export const localeFindings = (): string[] => {
  const languages = foldersIn(base)
  const keys = new Map(languages.map(each => [each, keysOfLanguage(each)] as const))
  const plain = new Map([...keys].map(([name, each]) => [name, new Set([...each].map(singular))]))
  const all = new Set([...plain.values()].flatMap(each => [...each]))
  const missing = [...plain].flatMap(([language, own]) =>
    [...all].filter(key => !own.has(key)).map(key => `${base}/${language}:1 translate \`${key}\``),
  )
  const unknown = filesIn('apps/console/src')
    .filter(isCode)
    .flatMap(path =>
      [...codeOf(path).matchAll(/\bt\('([\w.-]+)'/g)]
        .map(([, key = '']) => key)
        .filter(key => !all.has(key))
        .map(key => `${path}:1 add \`${key}\` to the languages`),
    )
  return [
    ...(languages.length === 4
      ? []
      : [`${base}:1 provide 4 languages instead of ${languages.length}`]),
    ...missing,
    ...unknown,
  ]
}
