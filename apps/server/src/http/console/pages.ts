import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Says whether the console has a page at a path. Undefined: the build does not tell. */
export type HasPage = (path: string) => boolean

/** The build writes the table of the console's routes into its page, which loads their files by it. */
const tablePattern = /<script id="preloads" type="application\/json">(.*?)<\/script>/s

/** Reads the routes of the built console, such as `/panel/log/:id`. */
export const readPages = async (root: string): Promise<HasPage | undefined> => {
  const html = await readFile(join(root, 'index.html'), 'utf8').catch(() => '')
  const table = tablePattern.exec(html)?.[1]
  if (table === undefined) return undefined
  const { pages } = JSON.parse(table) as { pages: Record<string, unknown> }
  const patterns = Object.keys(pages).map(path => path.split('/'))
  return path => {
    const parts = path.replace(/(.)\/+$/, '$1').split('/')
    return patterns.some(
      pattern =>
        pattern.length === parts.length &&
        pattern.every((part, index) =>
          part.startsWith(':') ? parts[index] !== '' : part === parts[index],
        ),
    )
  }
}
