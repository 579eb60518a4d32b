import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'

export const recordingsFolder = fileURLToPath(
  new URL('../../../../shared/fixtures/', import.meta.url),
)

/** Recorded responses lie next to the repository; a plain clone has none. */
export const areRecordings = existsSync(recordingsFolder)

const areLeftOut = !areRecordings && !process.env.CI

/** A test that needs recordings: skipped without them, but under CI it fails. */
export const itWithRecordings = it.skipIf(areLeftOut)

/** A suite that needs recordings, with the same rule. */
export const describeWithRecordings = describe.skipIf(areLeftOut)

/** Names of the recordings with this ending that match `sign`. */
export const recordings = (end: string, sign?: RegExp): string[] =>
  !areRecordings
    ? []
    : readdirSync(recordingsFolder, { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith(end) && (!sign || sign.test(recorded(name))))
        .toSorted()

/** Those of one vendor's folder. */
export const recordingsOf = (vendor: string, end: string): string[] =>
  recordings(end).filter(name => name.startsWith(`${vendor}/`))

export const recorded = (name: string): string => readFileSync(recordingsFolder + name, 'utf8')

/** One entry for each recorded frame's data. */
export const recordedLines = (name: string): string[] => recorded(name).split('\n').filter(Boolean)
