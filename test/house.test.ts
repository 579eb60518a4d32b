import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faultFindings, securityFindings } from './house/documents.ts'
import { importFindings } from './house/imports.ts'
import { localeFindings } from './house/locales.ts'
import { banFindings, featureFindings, readmeFindings } from './house/rooms.ts'
import { shelfFindings, vendorFindings } from './house/shelves.ts'
import { filesIn, isCode, read, root } from './house/tree.ts'

/** An empty text is a clean house; otherwise each line is a sentence that says what to do. */
const clean = (findings: string[]) => expect([...new Set(findings)].join('\n')).toBe('')

it('stairs only go down: no room imports from above, no feature a feature, no package an application', () =>
  clean(importFindings()))

it('nobody outside its folder knows a vendor', () => clean(vendorFindings()))

it('every folder on a shelf is in its register, and the other way round', () =>
  clean(shelfFindings()))

it('every resource has a feature of its name on the server, every console feature a resource', () =>
  clean(featureFindings()))

it('every room has a README that says its law', () => clean(readmeFindings()))

it('SQL, engine names, the environment and bare errors stay in their rooms', () =>
  clean(banFindings()))

it('fault codes and docs/errors.md agree in both directions', () => clean(faultFindings()))

it('the four languages have the same keys, and every key that is used exists', () =>
  clean(localeFindings()))

it('no export, file or dependency is unused', () => {
  const knip = spawnSync(join(root, 'node_modules/.bin/knip'), ['--no-progress'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect(knip.status === 0 ? '' : `${knip.stdout}${knip.stderr}`).toBe('')
})

it('every threat and every line of the checklist names a test that exists, or says why later', () =>
  clean(securityFindings()))

it('files stay readable: at most about 300 lines, tables and tests aside', () => {
  const long = ['apps', 'packages', 'test', 'bench', 'scripts']
    .flatMap(filesIn)
    .filter(path => isCode(path) && !/\/(tables|migrations|fixtures|prices)\//.test(path))
    .map(path => [path, read(path).split('\n').length] as const)
    .filter(([, lines]) => lines > 330)
  clean(long.map(([path, lines]) => `${path} has ${lines} lines: look for the second idea in it`))
})
