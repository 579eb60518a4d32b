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

/** True if the installed packages match the lock. Packages for other platforms may be missing, and those of tests. */
const isInstalled = withTests => {
  const locked = readLock('package-lock.json')
  const found = readLock('node_modules/.package-lock.json')
  if (!locked || !found) return false
  return Object.entries(locked).every(
    ([path, { version, link, optional, dev }]) =>
      !path.startsWith('node_modules/') ||
      link ||
      (dev && !withTests) ||
      found[path]?.version === version ||
      (optional && found[path] === undefined),
  )
}

/** Installs what building and running need. No install script of any package runs: everything here works without. */
export const install = () => installPackages(false)

/** The same, and what only tests, checks and measurements need. */
export const installWithTests = () => installPackages(true)

const installPackages = async withTests => {
  if (isInstalled(withTests)) return
  process.stdout.write('Installing packages, which takes about a minute …\n')
  const code = await run('npm', [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(withTests ? [] : ['--omit=dev']),
  ])
  if (code !== 0) {
    process.stderr.write('The packages could not be installed; see above.\n')
    process.exit(code)
  }
}
