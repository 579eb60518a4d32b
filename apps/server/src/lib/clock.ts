import { readFileSync } from 'node:fs'

const lookMilliseconds = 50

/** The wall clock, moved by the milliseconds that a file says: tests turn it, also back, while a gateway runs. */
export const movedClock = (offsetFile: string): (() => number) => {
  let offset = read(offsetFile)
  setInterval(() => {
    offset = read(offsetFile)
  }, lookMilliseconds).unref()
  return () => Date.now() + offset
}

const read = (file: string): number => {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0
  } catch {
    return 0
  }
}
