import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program, PromptRun, Workplace } from './programs.ts'

/** After this time the client has seen what the vendor sent before it stood still. */
const seenMs = 500
/** This ends a client that hangs. */
const runMs = 240_000

export type Run = { code: number | null; output: string; stopped: boolean }

/** Runs one prompt. `stop` resolves when the user stops the client, as with Ctrl-C. */
export const runPrompt = async (
  program: Program,
  place: Workplace,
  ask: PromptRun,
  stop?: Promise<void>,
): Promise<Run> => {
  const { words, env, input } = program.launch(place, ask)
  const [file = '', ...rest] = words
  const child = spawn(file, rest, {
    cwd: place.work,
    env: { PATH: process.env.PATH, HOME: place.home, TERM: 'dumb', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: a terminal sends Ctrl-C to the processes that a client starts too.
    detached: true,
  })
  const signal = (name: NodeJS.Signals): boolean => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, name)
    } catch {
      return false
    }
  }
  const deadline = setTimeout(() => signal('SIGKILL'), runMs)
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  let stopped = false
  void stop?.then(async () => {
    await sleep(seenMs)
    stopped = signal('SIGINT')
  })
  const [code] = await once(child, 'close')
  clearTimeout(deadline)
  return { code, output, stopped }
}
