import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { node, root } from '../paths.ts'
import { untilResolved } from '../runner/until.ts'

/** Copies the project, with packages of its own behind the names that they are imported by. Returns its folder. */
export const copyProject = (folder: string): string => {
  const project = join(folder, 'main')
  const settings = globSync('*.{json,ts}', { cwd: root })
  for (const name of ['apps', 'packages', 'scripts', 'test', 'docs', ...settings])
    cpSync(join(root, name), join(project, name), { recursive: true })
  const modules = join(root, 'node_modules')
  mkdirSync(join(project, 'node_modules/@hub'), { recursive: true })
  for (const name of readdirSync(modules))
    if (name !== '@hub') symlinkSync(join(modules, name), join(project, 'node_modules', name))
  for (const name of readdirSync(join(project, 'packages')))
    symlinkSync(join(project, 'packages', name), join(project, 'node_modules/@hub', name))
  symlinkSync(join(root, '../shared'), join(folder, 'shared'))
  return project
}

/** Runs node in the copy. Returns whether it failed, which a loop without an end does too. */
export const failsInCopy = async (
  project: string,
  words: string[],
  env: Record<string, string> = {},
): Promise<boolean> => {
  const run = spawn(node, words, {
    cwd: project,
    stdio: 'ignore',
    // A group of its own: an early exit leaves a worker behind that loops for ever.
    detached: true,
    env: { ...process.env, ...env },
  })
  const exit = untilResolved('the copy has run', once(run, 'exit'))
  const code = await exit.then(
    ([exitCode]) => exitCode,
    () => 'it loops',
  )
  endGroup(run)
  return code !== 0
}

const endGroup = ({ pid }: ChildProcess) => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has already ended.
  }
}
