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
import { root } from './node.mjs'

export const filesBelow = path => {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesBelow(join(path, name)))
}

/** One hash over everything a build reads: times of files lie after a checkout, contents do not. */
const hashOf = sources => {
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

/**
 * A folder that `make` fills from the sources, and a file in it that tells from which. It is made aside and moved into
 * place: a server that runs meanwhile never serves half of it.
 */
export const builtFolder = ({ dist, sources, make }) => {
  const stamp = join(root, dist, '.sources')
  const building = join(root, `${dist}.building`)
  return {
    isBuilt: () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(sources),
    build: async node => {
      const hash = hashOf(sources)
      rmSync(building, { recursive: true, force: true })
      await make(node, building)
      writeFileSync(join(building, '.sources'), hash)
      rmSync(join(root, dist), { recursive: true, force: true })
      renameSync(building, join(root, dist))
    },
  }
}
