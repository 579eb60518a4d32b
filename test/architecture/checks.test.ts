import { describe, expect, it } from 'vitest'
import { commentFindings, commentsOf, tooManyComments } from './checks/comments.ts'
import { cycleFindings } from './checks/cycles.ts'
import { mutualFolderFindings, topFileFindings } from './checks/folders.ts'
import { disposalFindings, functionFindings } from './checks/functions.ts'
import { fileNameFindings, identifierFindings } from './checks/identifiers.ts'
import { servingVendorFindings } from './checks/registers.ts'
import { folderFindings, lengthFindings } from './checks/sizes.ts'
import { typeNameFindings } from './checks/type-names.ts'
import { importsOfSource, parseSource } from './source.ts'
import { outsideFindings } from './tests.ts'

const parse = (text: string, path = 'apps/server/src/a.ts') => parseSource(path, text)
const lines = (count: number) => 'x()\n'.repeat(count)
const importsIn = (files: Record<string, string>) =>
  Object.entries(files).flatMap(([path, text]) => importsOfSource(parse(text, path)))
const linesOf = (findings: string[]) => findings.map(each => each.split(' ')[0])

describe('comments', () => {
  const findingsOf = (text: string) => commentFindings(commentsOf(parse(text)))

  it('finds a headless clause in each kind of comment', () => {
    const text = [
      '// What goes on.',
      '/** Whoever waits. */',
      '/*',
      ' * Of a vendor.',
      ' */',
      'const a = 1 // The same again.',
      '/**',
      ' * Where it stands.',
      ' */',
    ].join('\n')
    expect(linesOf(findingsOf(text))).toEqual([
      'apps/server/src/a.ts:1',
      'apps/server/src/a.ts:2',
      'apps/server/src/a.ts:3',
      'apps/server/src/a.ts:6',
      'apps/server/src/a.ts:7',
    ])
  })

  it('reads line comments that follow each other as one comment', () => {
    expect(findingsOf('// It returns\n// what was sent.\nx()')).toEqual([])
    expect(findingsOf('// It returns.\n\n// What was sent.')).toHaveLength(1)
    expect(findingsOf('x() // It returns.\n// What was sent.')).toHaveLength(1)
  })

  it('ignores strings and words that only begin alike', () => {
    expect(findingsOf("const a = '// What'\n// Often it fails.\n// Whatever")).toEqual([])
  })

  it('tolerates one headless comment in 200, and lists all above that', () => {
    const comments = commentsOf(parse(`${'// Fine.\n\n'.repeat(399)}// Whose is it?`))
    expect(tooManyComments(comments)).toEqual([])
    const [first] = comments.slice(-1)
    expect(tooManyComments([...comments, first!, first!])).toHaveLength(3)
  })
})

describe('vendors in the layers that serve calls', () => {
  const relay = 'apps/server/src/relay'
  const findingsOf = (path: string, code: string) => servingVendorFindings([path], () => code)

  it.each([
    ["if (id === 'openai') go()", 'openai'],
    ['const isOpenaiModel = true', 'openai'],
    ["const header = 'x-amzn-bedrock-service-tier'", 'bedrock'],
    ["import { a } from './claude-settings.ts'", 'claude'],
    ['const proxy = /^(bearer )?midjourney-proxy$/i', 'midjourney'],
  ])('finds the vendor in %s', (code, vendor) => {
    const [finding] = findingsOf(`${relay}/retry/retry.ts`, code)
    expect(finding).toContain(`\`${vendor}\``)
    expect(findingsOf(`${relay}/formats/openai.ts`, code)).toEqual([])
  })

  it.each(['relay', 'stored-objects', 'tasks', 'sockets'])(
    'reads the files of %s, and of their formats none',
    layer => {
      const read: string[] = []
      servingVendorFindings(undefined, path => {
        read.push(path)
        return "'openai'"
      })
      const own = read.filter(path => path.startsWith(`apps/server/src/${layer}/`))
      expect(own.length).toBeGreaterThan(5)
      expect(own.filter(path => path.includes('/formats/'))).toEqual([])
    },
  )

  it('finds no vendor inside of another word, and exceptions that are none any more', () => {
    expect(findingsOf(`${relay}/retry/retry.ts`, 'const individual = customMetadata')).toEqual([])
    expect(findingsOf(`${relay}/upstream/prepare.ts`, 'const a = 1')).toHaveLength(1)
  })
})

describe('names', () => {
  const namesIn = (text: string, path?: string) =>
    identifierFindings(parse(text, path)).map(each => /`(.*?)`/.exec(each)?.[1])

  it('finds forbidden words in each kind of declaration', () => {
    const text = `
      type Told = { heardAt: number; tell(): void }
      interface Mother { fate: string }
      const upstreamTold = { spare_one: 1, ok: 2 }
      function goOnNow({ a: ear = 1, ...garbage }: X, [hole]: Y) {}
      const f = (bag: number) => bag
      class Room { door = 1; stairs() {} }
      import { a as dice } from './a.ts'
      try {} catch (trouble) {}
      type F = (worth: number) => void
    `
    expect(namesIn(text)).toEqual(
      'Told heardAt tell Mother fate upstreamTold spare_one goOnNow ear garbage hole bag Room door stairs dice trouble worth'.split(
        ' ',
      ),
    )
  })

  it('ignores uses, strings, quoted keys, library names and words that only contain a forbidden one', () => {
    const text = `
      import { told } from 'library'
      const year = told({ told, 'told': 1, letterSpacing: 2 })
      const hearts = year.heard
    `
    expect(namesIn(text)).toEqual([])
  })

  it('finds whole names, and props of components only in the console', () => {
    expect(namesIn('type Place = 1; const exchange = 2; const exchangeRate = 3')).toEqual([
      'Place',
      'exchange',
    ])
    const props = 'type Props = { of: string; verb: string }'
    expect(namesIn(props, 'apps/console/src/a.tsx')).toEqual(['of', 'verb'])
    expect(namesIn(props, 'apps/server/src/a.ts')).toEqual([])
  })

  it('accepts what the allow-list names', () => {
    const source = parse('const told = 1')
    expect(identifierFindings(source, ['apps/server/src/a.ts: told'])).toEqual([])
  })

  it('finds files and folders', () => {
    expect(
      linesOf(fileNameFindings(['a/kept/x.ts', 'a/kept/y.ts', 'a/own-mailbox.test.ts'])),
    ).toEqual(['a/kept:1', 'a/own-mailbox.test.ts:1'])
  })
})

describe('type names', () => {
  const findingsOf = (...texts: string[]) =>
    linesOf(typeNameFindings(texts.map((text, at) => parse(text, `p/${at}.ts`))))

  it('finds an exported name that is declared twice', () => {
    expect(findingsOf('export type A = 1', '\nexport interface A { a: 1 }', 'type A = 2')).toEqual([
      'p/0.ts:1',
      'p/1.ts:2',
    ])
    expect(findingsOf('type A = 1\nexport type { A }', 'export type A = 2')).toHaveLength(2)
  })

  it('finds a local name in three files, and accepts two, props and re-exports', () => {
    expect(findingsOf('type A = 1', 'type A = 2', 'type A = 3')).toHaveLength(3)
    expect(findingsOf('type A = 1', 'export type A = 2')).toEqual([])
    expect(findingsOf('type Props = 1', 'type Props = 2', 'type Props = 3')).toEqual([])
    expect(findingsOf('export type A = 1', "export type { A } from './0.ts'")).toEqual([])
  })
})

describe('functions', () => {
  it.each([
    ['a declaration', `function f() {\n${lines(79)}}`],
    ['an arrow function', `const f = () => {\n${lines(79)}}`],
    ['a method', `class A { f() {\n${lines(79)}} }`],
    ['a closure counts for the outer function', `const f = () => () => {\n${lines(79)}}`],
    ['an object literal with this', 'const f: A & ThisType<A> = {}'],
  ])('finds %s', (_, text) => {
    expect(functionFindings(parse(text)).length).toBeGreaterThan(0)
  })

  it('accepts 80 lines, and long callbacks of a test runner in tests', () => {
    expect(functionFindings(parse(`const f = () => {\n${lines(78)}}`))).toEqual([])
    const suite = `describe.each([1])('a', () => {\nit('b', () => {\n${lines(90)}})\n})`
    expect(functionFindings(parse(suite, 'a.test.ts'))).toEqual([])
    expect(functionFindings(parse(suite, 'a.ts'))).toHaveLength(2)
  })
})

describe('disposables', () => {
  const findingsOf = (body: string) =>
    linesOf(disposalFindings(parse(`const f = async () => {\n${body}\n}`)))

  it('finds a promise that is returned without an end, behind a disposable of its function', () => {
    for (const body of [
      'await using a = b()\nreturn c()',
      'using a = b()\nreturn d ? c() : e',
      'using a = b()\nif (d) return c.e()',
    ])
      expect(findingsOf(body)).toHaveLength(1)
  })

  it('accepts an awaited one, one in front of the disposable, and one of another function', () => {
    for (const body of [
      'await using a = b()\nreturn await c()',
      'if (d) return c()\nusing a = b()',
      'using a = b()\nawait e(() => { return c() })',
      'const g = async () => { using a = b() }\nreturn c()',
    ])
      expect(findingsOf(body)).toEqual([])
  })
})

describe('imports', () => {
  it('finds a cycle, also through types, re-exports, import() and import types', () => {
    for (const back of [
      "import { a } from './a.ts'",
      "import type { A } from './a.ts'",
      "export * from './a.ts'",
      "export type { A } from './a.ts'",
      "const a = import('./a.ts')",
      "type A = import('./a.ts').A",
    ])
      expect(
        cycleFindings(
          importsIn({
            'm/a.ts': "import './b.ts'",
            'm/b.ts': "import './c.ts'",
            'm/c.ts': back,
          }),
        ),
      ).toEqual([expect.stringContaining('m/a.ts → m/b.ts → m/c.ts → m/a.ts')])
  })

  it('accepts a diamond', () => {
    const files = { 'a.ts': "import './b.ts'; import './c.ts'", 'b.ts': "import './c.ts'" }
    expect(cycleFindings(importsIn({ ...files, 'c.ts': 'x()' }))).toEqual([])
  })

  it('finds two folders that import each other, and a folder that imports a file above it', () => {
    const imports = importsIn({
      'm/a/x.ts': "import '../b/y.ts'; import '../context.ts'",
      'm/b/z.ts': "import type { X } from '../a/w.ts'; import '../top.ts'",
      'm/top.ts': "import './a/x.ts'",
    })
    expect(linesOf(mutualFolderFindings('m', imports))).toEqual(['m/a/x.ts:1'])
    expect(linesOf(topFileFindings('m', imports, ['context.ts']))).toEqual(['m/b/z.ts:1'])
  })
})

describe('sizes', () => {
  it('finds a folder of 13 files, tests and registers excepted', () => {
    const files = (folder: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`)
    expect(linesOf(folderFindings(files('a/b', 13)))).toEqual(['a/b:1'])
    expect(folderFindings([...files('a/b', 12), 'a/b/x.test.ts'])).toEqual([])
    expect(folderFindings(files('apps/server/src/db/queries', 40))).toEqual([])
  })

  it('finds a file of 331 lines, tests and tables excepted', () => {
    const file = (path: string, count: number) => ({ path, text: lines(count) })
    expect(lengthFindings([file('a.ts', 331), file('b.ts', 330)])).toHaveLength(1)
    expect(lengthFindings([file('a.test.ts', 400), file('a/tables/b.ts', 400)])).toEqual([])
  })
})

describe('paths outside of the repository', () => {
  const linesWith = (text: string, path = 'apps/server/test/a.test.ts') =>
    linesOf(outsideFindings(parse(text, path)))

  it('finds each form of a path that leaves the repository', () => {
    const text = [
      "new URL('../../../../shared/fixtures/', import.meta.url)",
      "join(import.meta.dirname, '../../../../shared')",
      "join(root, '../shared/fixtures/import')",
    ].join('\n')
    expect(linesWith(text)).toEqual([1, 2, 3].map(line => `apps/server/test/a.test.ts:${line}`))
    expect(linesWith(text, 'test/harness/runner/recordings.ts')).toEqual([])
  })

  it('ignores paths within it and texts that are not paths of a file', () => {
    const text =
      "new URL('../../../docs', import.meta.url); join(root, 'docs'); call('../../../../x')"
    expect(linesWith(text)).toEqual([])
  })
})
