import { codeOf, filesIn, foldersIn, has, importsOf, isCode, isTest, read } from './tree.ts'

const vendors = () => foldersIn('packages/providers/src').filter(each => each !== 'fixtures')

/** Where a vendor's name may stand outside its folder: registers, dialects, settings, surface aliases, price data, locales. */
const mayNameVendors = [
  /^packages\/providers\/src\/[^/]+\.ts$/,
  /^packages\/dialects\//,
  /^packages\/contract\/src\/settings\.ts$/,
  /^apps\/server\/src\/relay\/surface\.ts$/,
  /^apps\/server\/src\/(db\/migrations|billing\/defaults|features\/(prices|owners)\/)/,
  /^apps\/console\/src\/locales\//,
]

/** Check 2: nobody outside a vendor's folder imports it or branches on its name. */
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
        .map(id => `${path} knows the vendor \`${id}\``)
    })

/** Ids that are words of the language too; a branch on them says nothing about a vendor. */
const commonWords = new Set(['custom'])

/** Check 3: what stands on a shelf is in its register, and the other way round. */
export const shelfFindings = (): string[] => [
  ...registered('packages/providers/src', vendors()),
  ...registered(
    'packages/dialects/src',
    foldersIn('packages/dialects/src').filter(each =>
      has(`packages/dialects/src/${each}/index.ts`),
    ),
  ),
  ...registered('apps/server/src/jobs', jobs()),
  ...vendors().flatMap(provesItself),
]

const jobs = () =>
  filesIn('apps/server/src/jobs')
    .filter(isCode)
    .filter(path => codeOf(path).includes('defineJob('))
    .map(path => path.replace('apps/server/src/jobs/', '').replace('.ts', ''))
    .filter(each => !['index', 'define', 'runner'].includes(each))

const registered = (shelf: string, entries: string[]): string[] => {
  const register = `${shelf}/index.ts`
  if (!has(register)) return [`${register} is missing`]
  const named = importsOf(register)
    .filter(each => each.target.startsWith(`${shelf}/`))
    .map(each => each.target.slice(shelf.length + 1).replace(/(\/index)?\.ts$/, ''))
  return [
    ...entries
      .filter(each => !named.includes(each))
      .map(each => `${shelf}/${each} is not in ${register}`),
    ...named
      .filter(each => !has(`${shelf}/${each}.ts`) && !has(`${shelf}/${each}/index.ts`))
      .map(each => `${register} names ${each}, which does not exist`),
  ]
}

const provesItself = (id: string): string[] => {
  const folder = `packages/providers/src/${id}`
  const tests = filesIn(folder).filter(isTest)
  const conforms = tests.some(path => /\bconform\(/.test(read(path)))
  // A vendor that cannot be called yet has no answers to record.
  const callable = !/serves:\s*\{\s*\}/.test(read(`${folder}/index.ts`))
  return [
    ...(conforms ? [] : [`${folder} has no test that calls \`conform\``]),
    ...(callable && !filesIn(`${folder}/fixtures`).length ? [`${folder} has no fixtures`] : []),
  ]
}
