import { isTest } from '../tree.ts'

const maxFiles = 12
const maxLines = 330

/** Folders that grow with the product by one file per entry. */
const registers = [
  /^packages\/providers\/src$/,
  /^packages\/contract\/src$/,
  /^apps\/server\/src\/db\/(queries|migrations|tables)$/,
  /^apps\/server\/src\/jobs$/,
  /^test\/security\/mutations$/,
  /\/locales(\/|$)/,
]

/** Data, not reading matter. */
const data = /\/(tables|migrations|fixtures|prices)\//

const isSource = (path: string) => /\.(tsx?|mjs)$/.test(path) && !isTest(path)

export const folderFindings = (paths: string[]): string[] => {
  const counts = new Map<string, number>()
  for (const path of paths.filter(isSource)) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && !registers.some(each => each.test(folder)))
    .map(
      ([folder, count]) =>
        `${folder}:1 divide the folder: it has ${count} source files, at most ${maxFiles} are surveyed`,
    )
}

export const lengthFindings = (files: { path: string; text: string }[]): string[] =>
  files
    .filter(({ path }) => isSource(path) && !data.test(path))
    .map(({ path, text }) => [path, text.trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > maxLines)
    .map(([path, lines]) => `${path}:1 look for the second idea: the file has ${lines} lines`)
