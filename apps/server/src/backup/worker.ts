import { parentPort, workerData } from 'node:worker_threads'
import type { BackupOrder, BackupReply } from './thread.ts'
import { writeBackup } from './write.ts'

const { file, now, masterKey, ...source } = workerData as BackupOrder

const reply = await writeBackup({ ...source, masterKey: Buffer.from(masterKey) }, file, now).then(
  (result): BackupReply => ({ result }),
  (error): BackupReply => ({ error: error instanceof Error ? error.message : String(error) }),
)
parentPort?.postMessage(reply)
