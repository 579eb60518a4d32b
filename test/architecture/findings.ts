// Prints the findings on comments, names, functions, cycles and sizes of the files below some folders, quickly:
// npx node test/architecture/findings.ts apps/server/src/relay packages/dialects
import { commentFindings, commentsOf } from './checks/comments.ts'
import { cycleFindings } from './checks/cycles.ts'
import { functionFindings } from './checks/functions.ts'
import { fileNameFindings, identifierFindings } from './checks/identifiers.ts'
import { folderFindings, lengthFindings } from './checks/sizes.ts'
import { packageOf, typeNameFindings } from './checks/type-names.ts'
import { importsOfSource } from './source.ts'
import { codeFolders, isTest, sourcesIn } from './tree.ts'

const folders = process.argv.slice(2).map(each => each.replace(/^\.\/|\/+$/g, ''))
const isInside = (path: string) =>
  folders.some(each => path === each || path.startsWith(`${each}/`)) || folders.length === 0

const all = sourcesIn(codeFolders)
const sources = all.filter(each => isInside(each.path))
const paths = sources.map(each => each.path)
const packages = new Set(paths.map(packageOf))

const findings: Record<string, string[]> = {
  comments: commentFindings(sources.flatMap(commentsOf)),
  names: [...sources.flatMap(each => identifierFindings(each)), ...fileNameFindings(paths)],
  types: [...packages]
    .filter(each => /^(apps|packages)\//.test(each))
    .flatMap(each =>
      typeNameFindings(all.filter(({ path }) => packageOf(path) === each && !isTest(path))),
    ),
  functions: sources.flatMap(functionFindings),
  cycles: cycleFindings(all.filter(({ path }) => !isTest(path)).flatMap(importsOfSource)),
  sizes: [...folderFindings(paths), ...lengthFindings(sources)],
}

let total = 0
for (const [check, found] of Object.entries(findings)) {
  const here = found.filter(each => isInside(each.slice(0, each.indexOf(':'))))
  total += here.length
  if (here.length) console.log(`${check}: ${here.length}\n  ${here.join('\n  ')}\n`)
}
console.log(total ? `${total} findings` : 'no findings')
