import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commentsOf, tooManyComments } from './architecture/checks/comments.ts'
import { cycleFindings } from './architecture/checks/cycles.ts'
import { faultFindings, securityFindings } from './architecture/checks/documents.ts'
import { mutualFolderFindings, topFileFindings } from './architecture/checks/folders.ts'
import { disposalFindings, functionFindings } from './architecture/checks/functions.ts'
import { fileNameFindings, identifierFindings } from './architecture/checks/identifiers.ts'
import { importFindings } from './architecture/checks/imports.ts'
import { localeFindings } from './architecture/checks/locales.ts'
import { banFindings, featureFindings, readmeFindings } from './architecture/checks/modules.ts'
import {
  registerFindings,
  servingVendorFindings,
  vendorFindings,
} from './architecture/checks/registers.ts'
import { folderFindings, lengthFindings } from './architecture/checks/sizes.ts'
import { packageOf, typeNameFindings } from './architecture/checks/type-names.ts'
import { importsOfSource } from './architecture/source.ts'
import { outsideFindings } from './architecture/tests.ts'
import {
  codeFolders,
  filesIn,
  foldersIn,
  importsOf,
  isCode,
  isTest,
  root,
  sourcesIn,
} from './architecture/tree.ts'

/** Each finding is one line: `path:line` and a sentence that says what to do. */
const expectNone = (findings: string[]) => expect([...new Set(findings)].join('\n')).toBe('')

const server = 'apps/server/src'
const packages = foldersIn('packages').map(each => `packages/${each}`)

it('imports point downwards: no module imports a higher one, no feature a feature, no package an application', () =>
  expectNone(importFindings()))

it('no code outside the folder of a vendor knows the vendor', () =>
  expectNone([...vendorFindings(), ...servingVendorFindings()]))

it('every folder of a register is listed in it, and the register lists nothing else', () =>
  expectNone(registerFindings()))

it('every resource has a feature on the server, and every console feature has a resource', () =>
  expectNone(featureFindings()))

it('every module has a README with its rules', () => expectNone(readmeFindings()))

it('SQL, engine names, the environment and bare errors stay in their modules', () =>
  expectNone(banFindings()))

it('fault codes and docs/errors.md agree in both directions', () => expectNone(faultFindings()))

it('the four languages have the same keys, and every key that is used exists', () =>
  expectNone(localeFindings()))

it('no export, file or dependency is unused', () => {
  const knip = spawnSync(join(root, 'node_modules/.bin/knip'), ['--no-progress'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect(knip.status === 0 ? '' : `${knip.stdout}${knip.stderr}`).toBe('')
})

it('every threat and every line of the checklist names a test that exists, or a reason to wait', () =>
  expectNone(securityFindings()))

it('comments are sentences: at most 0.5 % open with a headless clause', () =>
  expectNone(tooManyComments(sourcesIn(codeFolders).flatMap(commentsOf))))

it('names use the words of the field', () => {
  const sources = sourcesIn(codeFolders)
  expectNone([
    ...sources.flatMap(each => identifierFindings(each)),
    ...fileNameFindings(sources.map(each => each.path)),
  ])
})

it('no file reads outside of the repository, except for recordings', () =>
  expectNone(sourcesIn(codeFolders).flatMap(outsideFindings)))

it('a type name has one meaning within a package', () =>
  expectNone(
    ['apps/server', 'apps/console', ...packages].flatMap(each =>
      typeNameFindings(
        sourcesIn([each]).filter(({ path }) => packageOf(path) === each && !isTest(path)),
      ),
    ),
  ))

it('functions have at most 80 lines, closures included', () =>
  expectNone(sourcesIn(codeFolders).flatMap(functionFindings)))

it('a promise is awaited before the disposables of its scope are disposed of', () =>
  expectNone(sourcesIn(codeFolders).flatMap(disposalFindings)))

it('no files import each other in a cycle, type-only imports included', () =>
  expectNone(
    cycleFindings(
      sourcesIn([server, 'apps/console/src', ...packages.map(each => `${each}/src`), 'test'])
        .filter(({ path }) => !isTest(path))
        .flatMap(importsOfSource),
    ),
  ))

it('folders of a server module import each other one way only, and none the files above it', () => {
  const relay = `${server}/relay`
  const relayImports = filesIn(relay).filter(isCode).flatMap(importsOf)
  expectNone([
    ...foldersIn(server)
      .filter(each => each !== 'features')
      .map(each => `${server}/${each}`)
      .flatMap(each => mutualFolderFindings(each, filesIn(each).filter(isCode).flatMap(importsOf))),
    ...topFileFindings(relay, relayImports, ['context.ts', 'call-state.ts']),
  ])
})

it('a folder has at most 12 source files, and a file about 300 lines', () => {
  const sources = sourcesIn(codeFolders)
  expectNone([...folderFindings(sources.map(each => each.path)), ...lengthFindings(sources)])
})
