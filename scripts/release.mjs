/**
 * npm run release: one archive that runs without npm, with its checksum and a list of what is in it, in `release/`.
 * Equal sources give equal bytes. `-- --folder <path>`: the installation as a folder, for the container image.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { componentList } from './lib/component-list.mjs'
import { installation } from './lib/installation.mjs'
import { install } from './lib/installed.mjs'
import { root, runOrExit } from './lib/node.mjs'
import { programs } from './lib/programs.mjs'

const into = readCommandLine(programs.release).text('folder')

await install()
await buildAll()

const name = `one-hub-${process.platform}-${process.arch}`
const target = join(root, 'release')

/** Equal files give equal bytes: sorted, without owners, and as old as the epoch. */
const tarFlags = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']

const makeArchive = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-release-'))
  const archive = join(target, `${name}.tar.gz`)
  try {
    installation(join(folder, 'one-hub'))
    const tar = ['--create', ...tarFlags, '--directory', folder, '--use-compress-program=gzip -n']
    await runOrExit('The archive could not be made', 'tar', [...tar, '--file', archive, 'one-hub'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${sum}  ${name}.tar.gz\n`)
  process.stdout.write(`${archive}\nsha256 ${sum}\n`)
}

if (into) installation(into)
else {
  mkdirSync(target, { recursive: true })
  const components = componentList()
  writeFileSync(join(target, `${name}.cdx.json`), `${JSON.stringify(components, null, 2)}\n`)
  await makeArchive()
}
