import { readFileSync } from 'node:fs'

const pollMilliseconds = 50

/** Wall clock plus the milliseconds written in a file. Tests move the clock of a running gateway with it, also back. */
export const offsetClock = (offsetFile: string): (() => number) => {
  let offset = read(offsetFile)
  setInterval(() => {
    offset = read(offsetFile)
  }, pollMilliseconds).unref()
  return () => Date.now() + offset
}

const read = (file: string): number => {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0
  } catch {
    return 0
  }
}
