import { dirname, join, normalize } from 'node:path'
import { isNode, lineOf, type Source, type SyntaxNode, walk } from './source.ts'

/** Vendors' recordings lie next to the repository: these leave out the tests that need them, and say so. */
const readers = [
  'test/harness/runner/recordings.ts',
  'test/harness/process/project-copy.ts',
  'scripts/lib/testing/suites.mjs',
]

const textOf = (node: SyntaxNode | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

/** The folder that a path is relative to, seen from the root of the repository. */
const baseOf = (source: Source, node: SyntaxNode | undefined): string | undefined => {
  if (!node) return undefined
  const code = source.text.slice(node.start, node.end)
  if (code === 'import.meta.dirname' || code === 'import.meta.url') return dirname(source.path)
  return code === 'root' ? '.' : undefined
}

/** The path of `join(root, '…')` or `new URL('…', import.meta.url)`, seen from the root of the repository. */
const pathOf = (source: Source, node: SyntaxNode): string | undefined => {
  const given = Array.isArray(node.arguments) ? node.arguments.filter(isNode) : []
  const [base, path] = node.type === 'NewExpression' ? [given[1], given[0]] : given
  const [folder, text] = [baseOf(source, base), textOf(path)]
  return folder === undefined || text === undefined ? undefined : normalize(join(folder, text))
}

/** A plain clone has nothing next to it: a test that reads there fails on every other machine. */
export const outsideFindings = (source: Source): string[] => {
  const found: string[] = []
  if (readers.includes(source.path)) return found
  walk(source.program, node => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return
    const path = pathOf(source, node)
    if (path?.startsWith('..'))
      found.push(
        `${source.path}:${lineOf(source, node.start)} reads ${path}, outside of the repository: put the file into it, or read recordings by test/harness/runner/recordings.ts`,
      )
  })
  return found
}
