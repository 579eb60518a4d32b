import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Gateway } from '../gateway.ts'
import { node } from '../paths.ts'
import { compileCache } from './compile-cache.ts'

type Where = Pick<Gateway, 'dataDir' | 'databaseUrl' | 'masterKey'>
export type ProgramEnd = {
  code: number | null
  signal: string | null
  output: string
  errors: string
}

/** Runs a program of the server, such as `src/import.ts`, on the data of a gateway that may run. */
export const runProgram = async (
  program: string,
  args: string[],
  { dataDir, databaseUrl, masterKey }: Where,
  env: Record<string, string> = {},
): Promise<ProgramEnd> => {
  const child = spawn(node, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache(),
      DATA_DIR: dataDir,
      MASTER_KEY: masterKey,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...env,
    },
  })
  const ended = new Promise<[number | null, string | null]>(resolve =>
    child.once('close', (code, signal) => resolve([code, signal])),
  )
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ])
  return { code, signal, output, errors }
}
