import { serveRequests } from '../lib/runtime/worker-thread.ts'
import type { BackupOrder } from './thread.ts'
import { writeBackup } from './write.ts'

serveRequests<BackupOrder>(
  ({ file, now, masterKey, ...source }) =>
    writeBackup({ ...source, masterKey: Buffer.from(masterKey) }, file, now),
  error => (error instanceof Error ? error.message : String(error)),
)
