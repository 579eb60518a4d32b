import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node, root } from '../paths.ts'

const cache = join(tmpdir(), `hub-compiled-${process.getuid?.() ?? 0}`)

const newestOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile() && each.name.endsWith('.ts'))
    .reduce((most, each) => Math.max(most, statSync(join(each.parentPath, each.name)).mtimeMs), 0)

/**
 * Node's own compile cache for the gateways of tests, which start hundreds of times. Node checks each entry against its
 * source; filled here once per change, since a gateway that is killed writes none.
 */
export const compileCache = (): string => {
  if (!isFilled) fill()
  isFilled = true
  return cache
}

let isFilled = false

const source = (path: string) => JSON.stringify(join(root, 'apps/server/src', path))
/** Outside a worker the thread fails when its modules are loaded, which is enough. */
const loadAll = `import(${source('app.ts')})
  .then(() => import(${source('db/engines/sqlite/thread/worker.ts')}).catch(() => undefined))`

const fill = () => {
  const newest = Math.max(
    ...['apps/server/src', 'packages'].map(each => newestOf(join(root, each))),
  )
  const mark = join(cache, `filled-${newest}`)
  if (existsSync(mark)) return
  mkdirSync(cache, { recursive: true })
  execFileSync(node, ['--eval', loadAll], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache },
    stdio: 'ignore',
  })
  writeFileSync(mark, '')
}
