import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'

const recordingsFolder = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url))

/** Recorded responses of vendors lie next to the repository; a plain clone has none, which `npm test` lists. */
export const areRecordings = existsSync(recordingsFolder)

/** A test that needs recordings, skipped without them. */
export const itWithRecordings = it.skipIf(!areRecordings)

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
