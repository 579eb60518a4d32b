import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../harness/paths.ts'
import type { Part, Result } from './part.ts'

const file = join(root, 'docs/proofs.md')
const head = `# Long-running tests

Written by \`npm run test:long\`; each section shows the last run of its part with the commit. \`npm run test:all\` runs a
sample of it, with the same auditor.
`

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

const commit = (): string => {
  const isChanged = git('status', '--porcelain', '--', 'apps', 'packages') !== ''
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' and uncommitted changes' : '')
}

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** The rows of engines that did not run this time. */
const otherEngineRows = (before: string, { columns }: Part, { rows }: Result): string[] => {
  const engineColumn = columns.indexOf('Engine')
  if (engineColumn < 0 || !before.includes(line(['Commit', ...columns]))) return []
  const run = new Set(rows.map(each => each[engineColumn]))
  return before
    .split('\n')
    .filter(each => each.startsWith('| '))
    .slice(1)
    .filter(each => !run.has(each.split(' | ')[engineColumn + 1] ?? ''))
}

const sectionOf = (part: Part, result: Result, before: string): string => {
  const { title, intro, columns } = part
  const on = commit()
  return [
    `## ${title}\n`,
    `${intro}\n`,
    line(['Commit', ...columns]),
    `|${'---|'.repeat(columns.length + 1)}`,
    ...otherEngineRows(before, part, result),
    ...result.rows.map(each => line([on, ...each])),
    '',
  ].join('\n')
}

/** Replaces the section of the part and leaves the others as they are. */
export const writeSection = (part: Part, result: Result, order: readonly Part[]): string => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const sections = new Map(
    before
      .split(/^(?=## )/m)
      .filter(each => each.startsWith('## '))
      .map(each => [each.slice(3, each.indexOf('\n')), `${each.trimEnd()}\n`]),
  )
  const section = sectionOf(part, result, sections.get(part.title) ?? '')
  sections.set(part.title, section)
  const known = order.map(each => sections.get(each.title)).filter(each => each !== undefined)
  // Keeps the text that people wrote below.
  const titles = new Set(order.map(each => each.title))
  const others = [...sections].filter(([title]) => !titles.has(title)).map(([, each]) => each)
  writeFileSync(file, [head, ...known, ...others].join('\n'))
  return section
}
