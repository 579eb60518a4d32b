import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { external } from '../../apps/server/rolldown.config.mjs'
import { serverPrograms } from '../../apps/server/src/lib/command-line/programs.mjs'
import { getNode, root, serverFlags } from './node.mjs'

/** The packages that the bundle loads from `node_modules`, and all that these need. */
const externalFolders = () => {
  const found = new Set()
  const add = (name, from) => {
    const folder = folderOf(name, from)
    if (found.has(folder)) return
    found.add(folder)
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    for (const each of Object.keys(dependencies)) add(each, folder)
  }
  for (const name of external) add(name, join(root, 'apps/server'))
  return [...found].toSorted()
}

/** As Node finds it: the nearest `node_modules` above. */
const folderOf = (name, from) => {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name)
  const folder = paths.map(path => join(path, name)).find(isPackage)
  if (!folder) throw new Error(`The package ${name}, which ${from} needs, is not installed.`)
  return folder
}

const isPackage = folder => {
  try {
    readFileSync(join(folder, 'package.json'))
    return true
  } catch {
    return false
  }
}

const reportLibraries = 'process.report.getReport().sharedObjects.join("\\n")'

/** Node 26 needs libatomic, which small systems lack: https://github.com/nodejs/node/issues/60790. */
const librariesOf = node =>
  execFileSync(node, ['--print', reportLibraries], { encoding: 'utf8' })
    .split('\n')
    .filter(path => basename(path).startsWith('libatomic.so'))

const tools = Object.keys(serverPrograms).filter(name => name !== 'start')

const launcher = `#!/bin/sh
# Starts the server, or one of its programs: ./one-hub [${tools.join(' | ')}]; each has --help.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export NODE_ENV="\${NODE_ENV:-production}" DATA_DIR="\${DATA_DIR:-$PWD/data}"
export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-2}"
# The libraries that Node needs and that a system may lack.
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
program=server
case "\${1-}" in
  ${tools.join('|')}) program=$1; shift ;;
  # V8 keeps what it compiled here, so that later starts take half the time.
  '') export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-$DATA_DIR/compiled}" ;;
esac
exec "$here/node" ${serverFlags.join(' ')} "$here/apps/server/dist/$program.mjs" "$@"
`

const copied = [
  ['apps/server/dist', 'apps/server/dist'],
  ['apps/console/dist', 'apps/console/dist'],
  ['deploy', 'deploy'],
  ['docs/operations.md', 'operations.md'],
  ['LICENSE', 'LICENSE'],
]

/** What a build leaves beside its result. What V8 compiled differs from run to run. */
const isLeftOut = path => /\/(\.sources|compiled)$/.test(path)

/** Writes all that a machine needs to run the server into a folder: Node, the bundle, the console, a launcher. */
export const installation = folder => {
  const node = getNode()
  mkdirSync(join(folder, 'lib'), { recursive: true })
  cpSync(node, join(folder, 'node'), { dereference: true })
  for (const each of librariesOf(node)) copyFileSync(each, join(folder, 'lib', basename(each)))
  for (const [from, to] of copied)
    cpSync(join(root, from), join(folder, to), {
      recursive: true,
      filter: path => !isLeftOut(path),
    })
  for (const each of externalFolders())
    cpSync(each, join(folder, relative(root, each)), {
      recursive: true,
      // A package's own dependencies are copied by themselves, where they are needed.
      filter: path => path === each || !relative(each, path).startsWith('node_modules'),
    })
  writeFileSync(join(folder, 'one-hub'), launcher)
  for (const each of ['one-hub', 'node']) chmodSync(join(folder, each), 0o755)
}
