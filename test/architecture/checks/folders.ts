import type { ImportedModule } from '../source.ts'

/** The first path segment below a module, or nothing for a file that stands in the module itself. */
const folderBelow = (module: string, path: string): string | undefined => {
  if (!path.startsWith(`${module}/`)) return undefined
  const [folder, ...below] = path.slice(module.length + 1).split('/')
  return below.length > 0 ? folder : undefined
}

/** Two folders of one module that import each other. */
export const mutualFolderFindings = (module: string, imports: ImportedModule[]): string[] => {
  const between = new Map<string, ImportedModule>()
  for (const each of imports) {
    const from = folderBelow(module, each.from)
    const to = folderBelow(module, each.target)
    if (!from || !to || from === to) continue
    const key = `${from} ${to}`
    if (!between.has(key)) between.set(key, each)
  }
  return [...between].flatMap(([key, there]) => {
    const [from = '', to = ''] = key.split(' ')
    const back = between.get(`${to} ${from}`)
    if (!back || from > to) return []
    return [
      `${there.from}:${there.line} let ${module}/${from} and ${module}/${to} import each other one way only: ` +
        `this line imports ${there.target}, and ${back.from}:${back.line} imports ${back.target}`,
    ]
  })
}

/** Folders of a module that import a file which stands above them; `except` may be imported by all. */
export const topFileFindings = (
  module: string,
  imports: ImportedModule[],
  except: readonly string[],
): string[] =>
  imports
    .filter(
      ({ from, target }) =>
        folderBelow(module, from) &&
        target.startsWith(`${module}/`) &&
        !folderBelow(module, target) &&
        !except.includes(target.slice(module.length + 1)),
    )
    .map(
      ({ from, line, target }) =>
        `${from}:${line} move what it needs of ${target} into a folder: the files of ${module} import its folders, never the other way round`,
    )
