import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { builtFolder, filesBelow } from './built-folder.mjs'
import { environment, root, runOrExit } from './node.mjs'

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

const make = async (node, folder) => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  await runOrExit(
    'The console could not be built',
    node,
    [vite, 'build', 'apps/console', '--outDir', folder, '--logLevel', 'warn'],
    { env: environment(node, { NODE_ENV: 'production' }) },
  )
  await Promise.all(
    filesBelow(folder)
      .filter(file => compressible.test(file))
      .map(compress),
  )
}

export const consoleBuild = builtFolder({
  dist: 'apps/console/dist',
  sources: [
    'apps/console/src',
    'apps/console/public',
    'apps/console/index.html',
    'apps/console/vite.config.ts',
    'apps/console/icons.ts',
    'apps/console/preloads.ts',
    'packages/contract/src',
    'package-lock.json',
    'scripts/lib/console-build.mjs',
  ],
  make,
})
