import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { readEnv } from '../../src/env.ts'
import { type ImportOptions, importGateway } from '../../src/importer/index.ts'
import { openApp } from '../../src/open-app.ts'
import { copyMigrated } from '../migrated.ts'

/** The database that an import writes to: SQLite in the folder, or the PostgreSQL of the address. */
export type Target = { dataDir: string; databaseUrl?: string }

const folders: string[] = []
export const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-import-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

const envOf = ({ dataDir, databaseUrl }: Target) =>
  readEnv({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })

export const runImport = async (
  target: Target,
  address: string,
  options: Partial<ImportOptions> = {},
  clock: { now?: () => number } = {},
) => {
  const { dataDir, databaseUrl } = target
  if (!databaseUrl && !existsSync(join(dataDir, 'hub.db'))) copyMigrated(dataDir)
  const { app, closeStores } = await openApp(envOf(target), clock)
  try {
    return await importGateway(app, address, { isDryRun: false, ...options })
  } finally {
    await closeStores()
  }
}

/** Opens what an import wrote, without a server. */
export const inspect = async <T>(target: Target, read: (app: App) => Promise<T>): Promise<T> => {
  const { app, closeStores } = await openApp(envOf(target))
  try {
    return await read(app)
  } finally {
    await closeStores()
  }
}
