import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program } from './scripted/programs.ts'

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

/** A folder for clients outside the project; `HUB_CLIENT_FOLDER` names one that is kept for the next run. */
export const clientFolder = (): { packages: string; remove(): void } => {
  const { HUB_CLIENT_FOLDER: kept } = process.env
  const packages = kept ?? mkdtempSync(join(tmpdir(), 'hub-clients-'))
  return {
    packages,
    remove: () => {
      if (!kept) rmSync(packages, { recursive: true, force: true })
    },
  }
}

export const installProgram = (packages: string, program: Program): boolean =>
  program.install ? program.install(packages) : installClient(packages, program.packageName)
