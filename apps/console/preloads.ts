import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The files of a page, and the groups of texts that it needs in the visitor's language. */
export type PageLoads = { module: string; texts: string[] }

const moduleIn = (source: string): string | undefined => /import\('\.\/([^']+)'\)/.exec(source)?.[1]

/** Pages by path, as `src/routes.tsx` declares them. Throws if a page cannot be read. */
export const pagesOf = (routes: string): Record<string, PageLoads> => {
  const loaders = new Map<string, string>()
  for (const [source, name] of routes.matchAll(/^const (\w+) = [^\n]*(?:\n {2}.*)*/gm))
    loaders.set(name!, source)
  const pages: Record<string, PageLoads> = {}
  for (const [list, name] of routes.matchAll(
    /^const (\w+)Routes: RouteObject\[\] = \[[\s\S]*?^\]/gm,
  ))
    for (const [, path, load] of list.matchAll(
      /\bpage\(\s*(undefined|'[^']*'),\s*([\s\S]*?)\),?(?= *\n|\] *\})/g,
    )) {
      const isPublic = name === 'public'
      const source = loaders.get(load!) ?? load!
      const module = moduleIn(source)
      if (!module)
        throw new Error(`src/routes.tsx: the page ${path} has no module that is imported.`)
      const texts = isPublic ? ['public'] : ['public', 'console']
      const named = source.slice(source.indexOf('withTexts')).matchAll(/'([\w-]+)'/g)
      if (source.includes('withTexts')) texts.push(...[...named].map(([, name]) => name!))
      const tail = path === 'undefined' ? '' : path!.slice(1, -1)
      const address = `${isPublic ? '' : '/panel'}/${tail}`.replace(/(.)\/$/, '$1')
      if (tail !== '*') pages[address] = { module, texts: [...new Set(texts)] }
    }
  return pages
}

/** A group is a module of its own; every other name is one file of texts. */
const textModule = (root: string, language: string, name: string): string => {
  const group = `locales/${language}/${name}.ts`
  return existsSync(join(root, 'src', group)) ? group : `locales/${language}/${name}.json`
}

type Chunk = { fileName: string; imports: string[]; moduleIds: string[]; isEntry: boolean }

/**
 * Lists in the page which files each route loads. `public/early.js` starts to load them before the first script runs,
 * which would otherwise find them one after the other.
 */
export const preloads = (): Plugin => {
  let root = ''
  return {
    name: 'preloads',
    apply: 'build',
    configResolved: config => {
      root = config.root
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter(each => each.type === 'chunk') as Chunk[]
        const files: string[] = []
        const indexOf = (file: string): number => {
          const name = file.replace(/^assets\//, '')
          if (!files.includes(name)) files.push(name)
          return files.indexOf(name)
        }
        const withImports = (file: string, into: Set<string>): Set<string> => {
          if (into.has(file)) return into
          into.add(file)
          for (const each of bundle[file]?.type === 'chunk' ? bundle[file].imports : [])
            withImports(each, into)
          return into
        }
        const first = new Set<string>()
        for (const each of chunks) if (each.isEntry) withImports(each.fileName, first)
        const loadsOf = (module: string): number[] => {
          const chunk = chunks.find(each => each.moduleIds.includes(join(root, 'src', module)))
          if (!chunk) throw new Error(`The build has no chunk with src/${module}.`)
          const all = [...withImports(chunk.fileName, new Set())]
          return all.filter(each => !first.has(each)).map(indexOf)
        }
        const routes = readFileSync(join(root, 'src/routes.tsx'), 'utf8')
        const pages = Object.entries(pagesOf(routes)).map(
          ([path, { module, texts }]): [string, { files: number[]; texts: string[] }] => {
            const layout = path.startsWith('/panel') ? loadsOf('layout/console-layout.tsx') : []
            return [path, { files: [...new Set([...layout, ...loadsOf(module)])], texts }]
          },
        )
        const textFiles = [...new Set(pages.flatMap(([, { texts }]) => texts))]
        const texts = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'].map(language => [
          language,
          Object.fromEntries(
            textFiles.map(name => [name, loadsOf(textModule(root, language, name))[0]]),
          ),
        ])
        const list = { files, pages: Object.fromEntries(pages), texts: Object.fromEntries(texts) }
        // Before `early.js`, which reads it.
        const script = `<script id="preloads" type="application/json">${JSON.stringify(list)}</script>`
        return html.replace('<script src="/early.js">', match => `${script}\n    ${match}`)
      },
    },
  }
}
