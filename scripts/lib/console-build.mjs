import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { environment, root, run } from './node.mjs'

const sources = [
  'apps/console/src',
  'apps/console/public',
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'packages/contract/src',
  'package-lock.json',
]
const dist = join(root, 'apps/console/dist')
const building = join(root, 'apps/console/dist.building')
const stamp = join(dist, '.sources')

const filesBelow = path => {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesBelow(join(path, name)))
}

/** One hash over everything the build reads: times of files lie after a checkout, contents do not. */
const hashOfSources = () => {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(each => filesBelow(join(root, each)))) {
    if (/\.test\.tsx?$/.test(file)) continue
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

export const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources()

/** Built aside and moved into place: a server that runs meanwhile never serves half a console. */
export const buildConsole = async node => {
  const hash = hashOfSources()
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const code = await run(
    node,
    [vite, 'build', 'apps/console', '--outDir', building, '--logLevel', 'warn'],
    {
      env: environment(node, { NODE_ENV: 'production' }),
    },
  )
  if (code !== 0) {
    process.stderr.write('The console could not be built; see above.\n')
    process.exit(code)
  }
  writeFileSync(join(building, '.sources'), hash)
  rmSync(dist, { recursive: true, force: true })
  renameSync(building, dist)
}
