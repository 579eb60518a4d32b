import { codeOf, filesIn, foldersIn, has, importsOf, isCode, isTest, read } from '../tree.ts'

const vendors = () => foldersIn('packages/providers/src').filter(each => each !== 'fixtures')

/** Files that may name a vendor: registers, dialects, settings, aliases of routes, price data, locales. */
const mayNameVendors = [
  /^packages\/providers\/src\/[^/]+\.ts$/,
  /^packages\/dialects\//,
  /^packages\/contract\/src\/settings\/[a-z-]+\.ts$/,
  /^apps\/server\/src\/(relay|stored-objects|tasks|sockets)\/formats\//,
  /^apps\/server\/src\/(db\/migrations|billing\/defaults|features\/(index\.ts|(prices|owners)\/))/,
  /^apps\/console\/src\/locales\//,
]

/** Code outside a vendor's folder that imports the vendor or branches on its name. */
export const vendorFindings = (): string[] =>
  ['packages', 'apps/server/src', 'apps/console/src']
    .flatMap(filesIn)
    .filter(isCode)
    .flatMap(path => {
      const own = /^packages\/providers\/src\/([^/]+)\//.exec(path)?.[1]
      if (mayNameVendors.some(each => each.test(path))) return []
      const code = codeOf(path)
      return vendors()
        .filter(id => id !== own && !commonWords.has(id))
        .filter(id =>
          new RegExp(`(===|!==|case|includes\\(|\\?\\?)\\s*'${id}'|\\b${id}/index\\.ts`).test(code),
        )
        .map(
          id =>
            `${path}:1 remove the knowledge of the vendor \`${id}\`: it belongs into the vendor's folder`,
        )
    })

/** The layers that serve the public APIs of vendors. */
const servingLayers = ['relay', 'stored-objects', 'tasks', 'sockets'].map(
  each => `apps/server/src/${each}`,
)

/** The folders of these layers whose task it is to know those APIs. */
const vendorFolders = /^apps\/server\/src\/[a-z-]+\/formats\//

/** Files that name a format or a setting after a vendor. A new one belongs into `formats/` or a package. */
const namedAfterVendors = new Set(
  [
    'relay/background/poll-background.ts',
    'relay/channels/channel.ts',
    'relay/links/references.ts',
    'relay/model-list/formats.ts',
    'relay/translate/operations/embeddings.ts',
    'relay/translate/encode-settings.ts',
    'relay/upstream/prepare.ts',
  ].map(each => `apps/server/src/${each}`),
)

/** The words of identifiers, strings, paths and patterns, in lower case. */
const wordsOf = (code: string): Set<string> =>
  new Set([...code.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)].map(([word]) => word.toLowerCase()))

/** Code of a serving layer that names a vendor in any way, and files that no longer do. */
export const servingVendorFindings = (
  paths: string[] = servingLayers.flatMap(filesIn).filter(isCode),
  codeAt: (path: string) => string = codeOf,
): string[] => {
  const names = [...vendors().filter(id => !commonWords.has(id)), 'claude', 'google', 'grok']
  return paths
    .filter(path => !vendorFolders.test(path))
    .flatMap(path => {
      const words = wordsOf(codeAt(path))
      const named = names.filter(each => words.has(each))
      if (!namedAfterVendors.has(path))
        return named.map(
          each => `${path}:1 move what names \`${each}\` into formats/, a provider or a dialect`,
        )
      return named.length > 0 ? [] : [`${path}:1 remove it from \`namedAfterVendors\``]
    })
}

/** Ids that are English words too; a branch on them does not name a vendor. */
const commonWords = new Set(['custom'])

/** Entries that their register does not list, and entries of a register that do not exist. */
export const registerFindings = (): string[] => [
  ...registered('packages/providers/src', vendors()),
  ...registered(
    'packages/dialects/src',
    foldersIn('packages/dialects/src').filter(each =>
      has(`packages/dialects/src/${each}/index.ts`),
    ),
  ),
  ...registered('apps/server/src/jobs', jobs()),
  ...vendors().flatMap(missingVendorTests),
]

const jobs = () =>
  filesIn('apps/server/src/jobs')
    .filter(isCode)
    .filter(path => codeOf(path).includes('defineJob('))
    .map(path => path.replace('apps/server/src/jobs/', '').replace('.ts', ''))
    .filter(each => !['index', 'define', 'runner'].includes(each))

const registered = (folder: string, entries: string[]): string[] => {
  const register = `${folder}/index.ts`
  if (!has(register)) return [`${register}:1 write the register`]
  const named = importsOf(register)
    .filter(each => each.target.startsWith(`${folder}/`))
    .map(each => each.target.slice(folder.length + 1).replace(/(\/index)?\.ts$/, ''))
  return [
    ...entries
      .filter(each => !named.includes(each))
      .map(each => `${register}:1 add ${folder}/${each}`),
    ...named
      .filter(each => !has(`${folder}/${each}.ts`) && !has(`${folder}/${each}/index.ts`))
      .map(each => `${register}:1 remove ${each}, which does not exist`),
  ]
}

const missingVendorTests = (id: string): string[] => {
  const folder = `packages/providers/src/${id}`
  const tests = filesIn(folder).filter(isTest)
  const conforms = tests.some(path => /\bconform\(/.test(read(path)))
  // A vendor that cannot be called yet has no responses to record.
  const callable = !/serves:\s*\{\s*\}/.test(read(`${folder}/index.ts`))
  return [
    ...(conforms ? [] : [`${folder}:1 write a test that calls \`conform\``]),
    ...(callable && !filesIn(`${folder}/fixtures`).length
      ? [`${folder}:1 add recorded fixtures`]
      : []),
  ]
}
