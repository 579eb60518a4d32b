import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { failpoint } from '../lib/failpoint.ts'

const flushFolder = (folder: string) => {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Writes a key, unless an earlier run has: the database may be sealed with that one already. */
export const prepareKeyFile = (folder: string, file: string, given: Buffer | undefined): void => {
  if (existsSync(file)) return
  const key = given ?? randomBytes(32)
  writeFileSync(`${file}.tmp`, `${key.toString('base64')}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.tmp`, file)
  flushFolder(folder)
  failpoint('new key written')
}

/** Puts the new key in the place of the old one, which stays under another name. Returns that name. */
export const swapKeyFiles = (folder: string, file: string, newFile: string): string => {
  const kept = `${file}.before-rotation-${Date.now()}`
  linkSync(file, kept)
  failpoint('old key kept')
  // Replaces it in one step: a server that finds no key would make one.
  renameSync(newFile, file)
  flushFolder(folder)
  return kept
}
