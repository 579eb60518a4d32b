import { faults } from '@hub/contract'
import { filesIn, has, isTest, read } from './tree.ts'

/** Check 7: each fault is explained, and nothing is explained that does not exist. */
export const faultFindings = (): string[] => {
  if (!has('docs/errors.md')) return ['docs/errors.md is missing']
  const told = new Map(
    [...read('docs/errors.md').matchAll(/^\| `([\w.-]+)` \| (\d{3}) \|/gm)].map(
      ([, code = '', status]) => [code, Number(status)],
    ),
  )
  return [
    ...Object.entries(faults).flatMap(([code, [status]]) => {
      if (!told.has(code)) return [`docs/errors.md does not explain \`${code}\``]
      return told.get(code) === status
        ? []
        : [`docs/errors.md gives \`${code}\` the status ${told.get(code)}, it is ${status}`]
    }),
    ...[...told.keys()]
      .filter(code => !(code in faults))
      .map(code => `docs/errors.md explains \`${code}\`, which does not exist`),
  ]
}

const testFiles = () =>
  ['packages', 'apps', 'test', 'scripts', 'bench'].flatMap(filesIn).filter(isTest)

/** Titles as patterns, since some carry the name of an engine: `R26 … on ${engine}`. */
const titles = (): RegExp[] =>
  testFiles().flatMap(path =>
    [
      ...read(path).matchAll(
        /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g,
      ),
    ].map(([, , title = '']) => {
      const plain = title.replace(/\\(.)/g, '$1').replace(/[.*+?^()|[\]\\]/g, '\\$&')
      return new RegExp(
        `^${plain.replace(/\$\{[^}]*\}|%[sdij]|\$\w+/g, '.*').replace(/[{}]/g, '\\$&')}$`,
      )
    }),
  )

const threats = Array.from({ length: 54 }, (_, at) => `S${at + 1}`)
const lines = Array.from({ length: 45 }, (_, at) => `C${at + 1}`)

/** `docs/security.md` answers for every threat and every line of the checklist, with a test that exists. */
export const securityFindings = (): string[] => {
  if (!has('docs/security.md')) return ['docs/security.md is missing']
  const rows = new Map(
    [...read('docs/security.md').matchAll(/^\| ([SC]\d+) \| (.*) \|$/gm)].map(
      ([, id = '', rest = '']) => [id, rest.split(' | ').at(-1) ?? ''],
    ),
  )
  const known = titles()
  return [...threats, ...lines].flatMap(id => {
    const proof = rows.get(id)
    if (proof === undefined) return [`docs/security.md does not list ${id}`]
    const names = [...proof.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name)
    if (!names.length && !/later: \S+/.test(proof))
      return [`docs/security.md, ${id}: neither a test nor \`later: reason\``]
    return names
      .filter(name => !known.some(title => title.test(name)))
      .map(name => `docs/security.md, ${id}: there is no test “${name}”`)
  })
}
