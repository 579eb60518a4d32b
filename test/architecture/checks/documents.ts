import { faults } from '@hub/contract'
import { filesIn, has, isTest, read } from '../tree.ts'

/** Faults that docs/errors.md does not explain, and explanations without a fault. */
export const faultFindings = (): string[] => {
  if (!has('docs/errors.md')) return ['docs/errors.md:1 write the page']
  const documented = new Map(
    [...read('docs/errors.md').matchAll(/^\| `([\w.-]+)` \| (\d{3}) \|/gm)].map(
      ([, code = '', status]) => [code, Number(status)],
    ),
  )
  return [
    ...Object.entries(faults).flatMap(([code, [status]]) => {
      if (!documented.has(code)) return [`docs/errors.md:1 explain \`${code}\``]
      return documented.get(code) === status
        ? []
        : [
            `docs/errors.md:1 correct the status of \`${code}\` from ${documented.get(code)} to ${status}`,
          ]
    }),
    ...[...documented.keys()]
      .filter(code => !(code in faults))
      .map(code => `docs/errors.md:1 remove \`${code}\`, which does not exist`),
  ]
}

const testFiles = () =>
  ['packages', 'apps', 'test', 'scripts', 'bench'].flatMap(filesIn).filter(isTest)

const placeholder = /\$\{[^}]*\}|%[sdij]|\$\w+/g

/** A title of placeholders alone would match every name. */
const hasFixedWords = (title: string) =>
  (title.replace(placeholder, '').match(/\w{3,}/g)?.length ?? 0) >= 2

/** Titles as patterns, since some contain the name of an engine: `R26 … on ${engine}`. */
const titles = (): RegExp[] =>
  testFiles().flatMap(path =>
    [
      ...read(path).matchAll(
        /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g,
      ),
    ]
      .map(([, , title = '']) => title)
      .filter(hasFixedWords)
      .map(title => {
        const plain = title.replace(/\\(.)/g, '$1').replace(/[.*+?^()|[\]\\]/g, '\\$&')
        return new RegExp(`^${plain.replace(placeholder, '.*').replace(/[{}]/g, '\\$&')}$`)
      }),
  )

const threats = Array.from({ length: 55 }, (_, at) => `S${at + 1}`)
const lines = Array.from({ length: 45 }, (_, at) => `C${at + 1}`)

/** Threats and lines of the checklist for which `docs/security.md` names no existing test. */
export const securityFindings = (): string[] => {
  if (!has('docs/security.md')) return ['docs/security.md:1 write the page']
  const rows = new Map(
    [...read('docs/security.md').matchAll(/^\| ([SC]\d+) \| (.*) \|$/gm)].map(
      ([, id = '', rest = '']) => [id, rest.split(' | ').at(-1) ?? ''],
    ),
  )
  const known = titles()
  return [...threats, ...lines].flatMap(id => {
    const evidence = rows.get(id)
    if (evidence === undefined) return [`docs/security.md:1 list ${id}`]
    const names = [...evidence.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name)
    if (!names.length && !/later: \S+/.test(evidence))
      return [`docs/security.md:1 name a test for ${id}, or write \`later: reason\``]
    return names
      .filter(name => !known.some(title => title.test(name)))
      .map(name => `docs/security.md:1 correct ${id}: there is no test “${name}”`)
  })
}
