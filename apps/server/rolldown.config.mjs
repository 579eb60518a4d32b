// Bundles the server for production: it starts in a quarter of the time, and nothing strips types in memory.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const source = join(import.meta.dirname, 'src')

/** The programs of an installation, by their names in `dist`. */
const programs = {
  server: 'server.ts',
  audit: 'auditor/main.ts',
  backup: 'backup/main.ts',
  doctor: 'doctor/main.ts',
  import: 'import.ts',
  'reset-password': 'reset-password.ts',
  restore: 'backup/restore-main.ts',
  'rotate-master-key': 'master-key/main.ts',
}

const threadNameOf = file => file.slice(source.length + 1, -'.ts'.length).replaceAll('/', '-')

const ownFile = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url,?\s*\)/g

/** A file that the code finds beside itself: a worker thread is bundled on its own, anything else is copied. */
const filesBeside = {
  name: 'files-beside',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta\.url/ },
    handler(code, id) {
      return code.replace(ownFile, (_, path) => {
        const file = resolve(dirname(id), path)
        if (file.endsWith('.ts')) return `new URL('./${threadNameOf(file)}.mjs', import.meta.url)`
        const asset = { type: 'asset', name: basename(file), source: readFileSync(file) }
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile(asset)})`
      })
    },
  },
}

/** V8 keeps a text in one byte per character if all are ASCII, else in two: 5 MB less for the server. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(
          /[^\0-\x7f]/g,
          unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
  },
}

/**
 * An import of `node:http` reads its exports, and three of them load the fetch of Node, which nobody here uses: 5 MB of
 * memory. https://github.com/nodejs/node/blob/v26.10.0/lib/http.js
 */
const httpWithoutFetch = {
  name: 'http-without-fetch',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0http' },
  load: {
    filter: { id: /^\0http$/ },
    handler: () => ({ code: `module.exports = process.getBuiltinModule('http')` }),
  },
}

/** Modules that load HTTP/2 by file: undici needs it for its first such connection, Fastify for a server of that kind. */
const loadersOfHttp2 = {
  'undici/lib/dispatcher/client.js': [
    `const connectH2 = require('./client-h2.js')`,
    `const connectH2 = (client, socket) => require('./client-h2.js')(client, socket)`,
  ],
  'fastify/lib/server.js': [`const http2 = require('node:http2')`, 'const http2 = undefined'],
}

/** HTTP/2 is loaded when it is used: 3 MB of memory less. */
const lateHttp2 = {
  name: 'late-http2',
  transform: {
    filter: { id: /\/(undici|fastify)\/lib\/.*\.js$/ },
    handler(code, id) {
      const [, name] = id.split(/node_modules\/(?!.*node_modules)/)
      const [before, after] = loadersOfHttp2[name] ?? []
      if (before === undefined) return
      if (!code.includes(before)) throw new Error(`${name} loads HTTP/2 in another way than before`)
      return code.replace(before, after)
    },
  },
}

/** Packages that read files of their own folder. */
export const external = ['@fastify/swagger-ui', 'bcrypt', 'pdfkit']

/** Unknown in a copy without its history, unless HUB_COMMIT names it. */
const commit = () => {
  if (process.env.HUB_COMMIT !== undefined) return process.env.HUB_COMMIT
  const options = { cwd: source, encoding: 'utf8' }
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], options)
  return status === 0 ? stdout.trim() : ''
}

const define = { BUILT_COMMIT: JSON.stringify(commit()) }

const bundle = input => ({
  input,
  platform: 'node',
  external,
  transform: { define },
  plugins: [filesBeside, httpWithoutFetch, lateHttp2, asciiOnly],
  logLevel: 'warn',
  output: {
    dir: process.env.SERVER_DIST,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    assetFileNames: '[name]-[hash][extname]',
    // Names stay, for the stack traces of reports.
    minify: { compress: false, mangle: { keepNames: true }, codegen: true },
  },
})

const inSource = file => join(source, file)

export default [
  bundle(
    Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, inSource(file)])),
  ),
  // A bundle of its own loads nothing that the thread does not use.
  ...readdirSync(source, { recursive: true })
    .filter(file => basename(file) === 'worker.ts')
    .toSorted()
    .map(inSource)
    .map(file => bundle({ [threadNameOf(file)]: file })),
]
