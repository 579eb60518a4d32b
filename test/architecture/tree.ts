import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ImportedModule, importsOfSource, parseSource, type Source } from './source.ts'

/** The root of the repository: every path in these checks is relative to it. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const skipped = new Set(['node_modules', 'dist', 'dist.building', '.git', 'data'])

export const filesIn = (folder: string): string[] =>
  !existsSync(join(root, folder))
    ? []
    : readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesIn(path)
        return [path]
      })

export const foldersIn = (folder: string): string[] =>
  !existsSync(join(root, folder))
    ? []
    : readdirSync(join(root, folder), { withFileTypes: true })
        .filter(entry => entry.isDirectory() && !skipped.has(entry.name))
        .map(entry => entry.name)

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')
export const has = (path: string): boolean => existsSync(join(root, path))

export const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path)
export const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !isTest(path)

export const codeFolders = ['apps', 'packages', 'test', 'bench', 'demo', 'scripts']

const parsed = new Map<string, Source>()

/** The parsed file; each file is read and parsed once per run. */
export const sourceOf = (path: string): Source => {
  const known = parsed.get(path)
  if (known) return known
  const source = parseSource(path, read(path))
  parsed.set(path, source)
  return source
}

export const sourcesIn = (folders: readonly string[]): Source[] =>
  folders
    .flatMap(folder => (has(folder) && /\.(tsx?|mjs)$/.test(folder) ? [folder] : filesIn(folder)))
    .filter(path => /\.(tsx?|mjs)$/.test(path))
    .map(sourceOf)

/** The text without comments, so that a word in a sentence is no finding. Strings stay. */
export const codeOf = (path: string): string => {
  const { text, comments } = sourceOf(path)
  return comments.reduceRight(
    (code, { start, end }) => code.slice(0, start) + code.slice(end),
    text,
  )
}

export const importsOf = (path: string): ImportedModule[] => importsOfSource(sourceOf(path))
