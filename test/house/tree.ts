import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The source tree as the house checks read it. Paths are relative to the repository's root. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const skipped = new Set(['node_modules', 'dist', '.git', 'data'])

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

/** Without comments, so that a word in a sentence is no finding. Strings stay. */
export const codeOf = (path: string): string =>
  read(path).replace(
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    part => (part.startsWith('/') ? '' : part),
  )

export type Import = { from: string; target: string; typeOnly: boolean; names: string[] }

/** What a file imports: relative paths as paths from the root, packages as they are named. */
export const importsOf = (path: string): Import[] => {
  const found = codeOf(path).matchAll(
    /(?:^|\n)\s*(import|export)\s+(type\s)?([^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g,
  )
  return [...found].map(([, , type, clause, statement, dynamic]) => {
    const name = statement ?? dynamic ?? ''
    const target = name.startsWith('.') ? relative(root, resolve(root, dirname(path), name)) : name
    const names = (clause ?? '').replace(/\sfrom\s+$|[{}]/g, '').split(',')
    return {
      from: path,
      target,
      typeOnly: Boolean(type),
      names: names.map(each => each.trim()).filter(Boolean),
    }
  })
}
