import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './node.mjs'

const readLock = path => {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages ?? {}
  } catch {
    return undefined
  }
}

/** Whether what is installed is what the lock says. Packages for other platforms are missing rightly. */
export const isInstalled = () => {
  const wanted = readLock('package-lock.json')
  const found = readLock('node_modules/.package-lock.json')
  if (!wanted || !found) return false
  return Object.entries(wanted).every(
    ([path, { version, link, optional }]) =>
      !path.startsWith('node_modules/') ||
      link ||
      found[path]?.version === version ||
      (optional && found[path] === undefined),
  )
}

/** No install script of any package runs: everything here works without. */
export const install = async () => {
  if (isInstalled()) return
  process.stdout.write('Installing packages …\n')
  const code = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
  if (code !== 0) {
    process.stderr.write('The packages could not be installed; see above.\n')
    process.exit(code)
  }
}
