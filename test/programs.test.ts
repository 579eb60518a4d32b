import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programs } from '../scripts/lib/programs.mjs'
import { root } from './harness/paths.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

let folder = ''
/** A checkout in which nothing is installed, and a npm that leaves a trace. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-programs-'))
  for (const path of [
    'package.json',
    'package-lock.json',
    'scripts',
    'apps/server/rolldown.config.mjs',
    'apps/server/src/lib/command-line',
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\ntouch npm-was-called\nexit 1\n', {
    mode: 0o755,
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const treeOf = () => globSync('**', { cwd: folder }).toSorted()

const run = (name: string, args: readonly string[]) => {
  const [, ...words] = String(scripts[name]).split(' ')
  const before = treeOf()
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, ...args], {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { PATH: [join(folder, 'bin'), dirname(process.execPath)].join(delimiter) },
  })
  expect(treeOf()).toEqual(before)
  return { code: status, output: stdout, errors: stderr }
}

it('every script of package.json has a row in the table of programs', () => {
  const rows = Object.keys(programs).filter(name => !name.includes(' '))
  expect(rows.toSorted()).toEqual(Object.keys(scripts).toSorted())
})

describe.each(Object.keys(scripts))('npm run %s', name => {
  const { words } = programs[name]!

  it.each(['--help', '-h'])('prints its usage at %s, and installs nothing', help => {
    const { code, output, errors } = run(name, [help])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toMatch(/^Usage: npm /)
    for (const part of ['Options:', 'Examples:', 'Exit codes:']) expect(output).toContain(part)
  })

  it('refuses an unknown option before it does anything', () => {
    const { code, output, errors } = run(name, ['--nonsense'])
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(/^There is no option --nonsense; see npm .*--help\n$/)
  })

  it('refuses a word that it does not know before it does anything', () => {
    const count = words?.oneOf ? 1 : (words?.max ?? 0) + 1
    const { code, output, errors } = run(name, Array(count).fill('nonsense'))
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(/^(The word|There is no) "nonsense"[^\n]*; see npm .*--help\n$/)
  })
})

it.each([
  ['restore', [], 'It needs a file'],
  ['import', ['--history'], 'It needs a file or address'],
  ['bench', ['--rounds', 'many'], 'The option --rounds needs a number'],
  ['bench', ['--targets', 'pipe,mysql'], 'The option --targets knows pipe, sqlite, postgres'],
  ['release', ['--folder'], 'The option --folder needs a value'],
  ['doctor', ['--json=yes'], 'The option --json takes no value'],
  ['screenshots', ['en_US-dark-768'], 'The word "en_US-dark-768" means nothing here'],
  ['conformance', ['mutations', '--answers', 'few'], 'The option --answers needs a number'],
  ['conformance', ['providers', 'anthropic'], 'The word "anthropic" means nothing here'],
])('npm run %s refuses %j', (name, args, sentence) => {
  const { code, output, errors } = run(name, args)
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toContain(sentence)
})
