import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFolder } from './built-folder.mjs'
import { environment, root, runOrExit, serverFlags } from './node.mjs'

/** Starts the new bundle once, on data that are thrown away: when it ends, V8 has written what it compiled. */
const fillCompileCache = async (node, folder) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-build-'))
  const { PATH } = process.env
  const env = { PATH, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', NODE_ENV: 'production' }
  const server = spawn(node, [...serverFlags, join(folder, 'server.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  for await (const chunk of server.stdout) if (/listening on/.test(chunk)) server.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}

const make = async (node, folder) => {
  const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs')
  await runOrExit(
    'The server could not be bundled',
    node,
    [rolldown, '--config', 'apps/server/rolldown.config.mjs'],
    { env: environment(node, { SERVER_DIST: folder }), stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await fillCompileCache(node, folder)
}

export const serverBuild = builtFolder({
  dist: 'apps/server/dist',
  sources: [
    'apps/server/src',
    'apps/server/assets',
    'apps/server/package.json',
    'apps/server/rolldown.config.mjs',
    'packages/contract/src',
    'packages/dialects/src',
    'packages/providers/src',
    'package-lock.json',
    'scripts/lib/server-build.mjs',
  ],
  make,
})
