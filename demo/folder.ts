import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/lib/node.mjs'
import type { Filled } from './fill/index.ts'

/** The record that a demo leaves in its folder. The passwords open nothing but the demo. */
export type DemoRecord = {
  /** Equal fingerprints mean equal data, apart from their dates. */
  fingerprint: string
  databaseUrl: string | undefined
  filledAt: number
  vendorPort: number
  accessToken: string
  passwords: { root: string; administrator: string; customers: string }
  keys: Filled['keys']
}

const recordFile = 'demo.json'
/** Written before the first file of a demo, so that a fill that was broken off is known as one. */
const markerFile = '.one-hub-demo'

/** A sentence for the person who started the program. */
export class DemoRefusal extends Error {}

/** The schema, and the program that fills it. */
export const fingerprintOf = (seed: number): string => {
  const hash = createHash('sha256').update(`${seed}`)
  const files = globSync(['demo/**/*.ts', 'apps/server/src/db/migrations/*.ts'], { cwd: root })
  for (const file of files.toSorted()) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Refuses a folder with files of anybody else. */
export const checkFolder = (folder: string): void => {
  if (!existsSync(folder) || existsSync(join(folder, markerFile))) return
  if (readdirSync(folder).length === 0) return
  throw new DemoRefusal(
    `${folder} has files that are not of the demo, so nothing was changed. Set DEMO_DIR to another folder.`,
  )
}

export const emptyFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(
    join(folder, markerFile),
    'This folder belongs to `npm run demo`, which may empty it.\n',
  )
  for (const name of readdirSync(folder))
    if (name !== markerFile) rmSync(join(folder, name), { recursive: true, force: true })
}

export const readRecord = (folder: string): DemoRecord | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, recordFile), 'utf8'))
  } catch {
    return undefined
  }
}

export const writeRecord = (folder: string, record: DemoRecord): void =>
  writeFileSync(join(folder, recordFile), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })

export const newPassword = (): string => randomBytes(6).toString('base64url')
