import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder for the test that asks, gone when the test is over. */
export const makeTempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
