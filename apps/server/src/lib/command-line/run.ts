import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Fault } from '@hub/contract'
import { type CommandLine, type Program, readCommandLine } from './read.mjs'

/** Nobody has agreed to what cannot be undone. */
class NotConfirmed extends Error {}

/** Runs a program: reads its arguments, and prints a failure as one sentence, unless it is a defect. */
export const runProgram = (
  program: Program,
  main: (line: CommandLine) => Promise<void>,
  failureCode = 1,
): Promise<void> => {
  const line = readCommandLine(program)
  return main(line).catch(error => {
    process.stderr.write(`${failureText(error)}\n`)
    process.exitCode = error instanceof NotConfirmed ? 2 : failureCode
  })
}

/** A sentence for the operator. Only a defect of the product has a stack trace. */
export const failureText = (error: unknown): string => {
  if (error instanceof Fault || error instanceof NotConfirmed) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Asks at the terminal before something is destroyed; `--yes` is the answer in advance. Throws unless the answer is
 * `yes`, also if there is no terminal.
 */
export const confirmDestruction = async (line: CommandLine, loss: string): Promise<void> => {
  if (line.flag('yes')) return
  if (!process.stdin.isTTY)
    throw new NotConfirmed(`${loss} Nobody can be asked without a terminal: add --yes to agree.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = once(terminal, 'close').then(() => '')
    const answer = await Promise.race([
      terminal.question(`${loss}\nType yes to continue: `),
      closed,
    ])
    if (answer.trim().toLowerCase() !== 'yes') throw new NotConfirmed('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
