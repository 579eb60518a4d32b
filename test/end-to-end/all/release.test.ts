import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverPrograms } from '../../../apps/server/src/lib/command-line/programs.mjs'
import { administer } from '../../harness/admin.ts'
import { ask } from '../../harness/client.ts'
import { makeGateway } from '../../harness/gateway.ts'
import { node, root } from '../../harness/paths.ts'
import { startUpstream } from '../../upstream/start.ts'

const runFile = promisify(execFile)
const imageUser = 65532
const isRoot = process.getuid?.() === 0

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hub-release-test-'))
  chmodSync(folder, 0o755)
  await runFile(node, ['scripts/release.mjs', '--folder', join(folder, 'one-hub')], { cwd: root })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command as the user of the container image, who cannot write to the installation. */
const asImageUser = isRoot
  ? ['setpriv', `--reuid=${imageUser}`, `--regid=${imageUser}`, '--clear-groups', '--']
  : []

it('the installation of a release serves a billed call, without npm and as a user who cannot write to it', async () => {
  const dataDir = join(folder, 'data')
  const made = mkdtempSync(`${dataDir}-`)
  if (isRoot) chownSync(made, imageUser, imageUser)
  const gateway = makeGateway({
    dataDir: made,
    commandLine: [...asImageUser, join(folder, 'one-hub/one-hub')],
  })
  const upstream = await startUpstream()
  try {
    await gateway.start()
    const admin = administer(gateway)
    await admin.addChannel(upstream.url)
    await admin.setPrice('times:2', 'times', 2)
    const person = await admin.addPerson(10_000)
    const { status, complete } = await ask({
      ...{ url: gateway.url, key: person.key, model: 'times:2', stream: true },
    })
    expect([status, complete]).toEqual([200, true])
    expect(await admin.user(person.id)).toMatchObject({ quota: 8_000, used_quota: 2_000 })
    const console = await fetch(`${gateway.url}/panel/dashboard`)
    expect(await console.text()).toContain('<div id="root">')
    expect(await gateway.stop()).toBe(0)
  } finally {
    await gateway.close()
    await upstream.close()
  }
})

/** Runs the launcher in an empty folder, and checks that it stays empty. */
const runLauncher = (args: string[]) => {
  const cwd = mkdtempSync(join(folder, 'empty-'))
  const { status, stdout, stderr } = spawnSync(join(folder, 'one-hub/one-hub'), args, {
    ...{ cwd, encoding: 'utf8' },
    env: { PATH: process.env.PATH },
  })
  expect(readdirSync(cwd)).toEqual([])
  return { code: status, output: stdout, errors: stderr }
}

const tools = Object.keys(serverPrograms).filter(name => name !== 'start')

describe.each([[], ...tools.map(name => [name])])('one-hub %s', (...words) => {
  const name = words.join('')

  it('prints its usage at --help, and makes no file', () => {
    const { code, output, errors } = runLauncher([...words, '--help'])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toMatch(new RegExp(`^Usage: one-hub ${name}`.trimEnd()))
    expect(output).not.toContain('npm')
  })

  it('refuses an unknown option and an unknown word, and makes no file', () => {
    const option = runLauncher([...words, '--nonsense'])
    expect(option).toMatchObject({ code: 2, output: '' })
    expect(option.errors).toMatch(/^There is no option --nonsense; see one-hub .*--help\n$/)
    const count = (serverPrograms[(name || 'start') as 'start'].words?.max ?? 0) + 1
    const word = runLauncher([...words, ...Array(count).fill('nonsense')])
    expect(word).toMatchObject({ code: 2, output: '' })
    expect(word.errors).toMatch(/^The word "nonsense" means nothing here; see one-hub .*--help\n$/)
  })
})

it('the bundle is the same when it is made again', async () => {
  const again = join(folder, 'again')
  await runFile(
    node,
    [
      join(root, 'node_modules/rolldown/bin/cli.mjs'),
      '--config',
      'apps/server/rolldown.config.mjs',
    ],
    { cwd: root, env: { ...process.env, SERVER_DIST: again } },
  )
  expect(hashesOf(again)).toEqual(hashesOf(join(folder, 'one-hub/apps/server/dist')))
})

const hashesOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { withFileTypes: true })
      // A program that has run leaves the folder of its compile cache.
      .filter(each => each.isFile())
      .map(({ name }) => name)
      .toSorted()
      .map(name => [
        name,
        createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex'),
      ]),
  )
