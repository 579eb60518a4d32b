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
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { environment, root, run } from './node.mjs'

const sources = [
  'apps/console/src',
  'apps/console/public',
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'apps/console/preloads.ts',
  'packages/contract/src',
  'package-lock.json',
  'scripts/lib/console-build.mjs',
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

const encodings = {
  br: text =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gz: text => promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
}

/** Writes the compressed forms that the server sends, where they save at least a tenth. */
const compress = async file => {
  const text = readFileSync(file)
  for (const [extension, encode] of Object.entries(encodings)) {
    const encoded = await encode(text)
    if (encoded.length < text.length * 0.9) writeFileSync(`${file}.${extension}`, encoded)
  }
}

const compressible = /\.(html|js|css|svg|json|txt|webmanifest)$/

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
  await Promise.all(
    filesBelow(building)
      .filter(file => compressible.test(file))
      .map(compress),
  )
  writeFileSync(join(building, '.sources'), hash)
  rmSync(dist, { recursive: true, force: true })
  renameSync(building, dist)
}
