import { spawnSync } from 'node:child_process'

/** Installs a client in a folder outside the project. False: npm does not have it on this machine. */
export const installClient = (folder: string, packageName: string): boolean => {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const words = ['install', '--prefix', folder, ...flags, packageName]
  const { status } = spawnSync('npm', words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) console.log(`Skipped: npm could not install ${packageName} on this machine.`)
  return status === 0
}
