import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, statfs, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'

/** Bytes of one upload that stay in memory; a larger one moves to a file. */
export const spoolMemoryMax = 1024 * 1024
/** Bytes of all uploads on the disk. */
const diskMax = 4 * 1024 * 1024 * 1024
/** The database is usually on the same disk, and must never find it full. */
const diskFreeMin = 1024 * 1024 * 1024
const readSize = 64 * 1024

const disk = appScoped(() => ({ used: 0 }))

/** Uploaded bytes that are written once and read several times: in memory, or above 1 MiB in a file without a name. */
export class Spool {
  size = 0
  private readonly app: App
  private readonly reserve: (size: number) => void
  private chunks: Buffer[] = []
  private file: FileHandle | undefined
  private isDisposed = false

  /** `reserve` takes memory from the budget of bodies. */
  constructor(app: App, reserve: (size: number) => void) {
    this.app = app
    this.reserve = reserve
  }

  /** Appends the chunk. Throws `server.busy` or `server.storage_full` where memory or disk do not suffice. */
  async write(chunk: Buffer): Promise<void> {
    if (this.file) return this.writeToFile(this.file, chunk)
    if (this.size + chunk.length <= spoolMemoryMax) {
      this.reserve(chunk.length)
      this.chunks.push(chunk)
      this.size += chunk.length
      return
    }
    const file = await openNameless(this.app)
    if (this.isDisposed) return file.close()
    this.file = file
    const before = [...this.chunks, chunk]
    this.chunks = []
    this.size = 0
    for (const each of before) await this.writeToFile(file, each)
  }

  /** Reads a range in chunks, as often as needed. */
  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    if (!this.file) {
      yield Buffer.concat(this.chunks).subarray(start, end)
      return
    }
    for (let at = start; at < end; ) {
      const size = Math.min(readSize, end - at)
      const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(size), 0, size, at)
      if (bytesRead === 0) throw new Fault('server.failed', { detail: 'a spooled upload is short' })
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  /** Frees disk and memory. The system deletes the file when it is closed. */
  dispose(): void {
    if (this.isDisposed) return
    this.isDisposed = true
    this.chunks = []
    if (!this.file) return
    disk(this.app).used -= this.size
    this.file.close().catch(error => this.app.log.warn({ err: error }, 'a spool was not closed'))
  }

  private async writeToFile(file: FileHandle, chunk: Buffer): Promise<void> {
    const usage = disk(this.app)
    if (this.isDisposed) return
    if (usage.used + chunk.length > diskMax) throw busy('uploads use all their disk')
    usage.used += chunk.length
    const at = this.size
    this.size += chunk.length
    const { bytesWritten } = await file.write(chunk, 0, chunk.length, at).catch(cause => {
      throw new Fault('server.storage_full', { cause })
    })
    if (bytesWritten < chunk.length)
      throw new Fault('server.storage_full', { detail: 'short write' })
  }
}

const busy = (detail: string) => new Fault('server.busy', { retryAfterSeconds: 1, detail })

const folderOf = ({ env }: App): string => join(env.dataDir, 'tmp')

const namePrefix = 'upload-'

/** Opens a private file and removes its name at once, so that not even a crash leaves it behind. */
const openNameless = async (app: App): Promise<FileHandle> => {
  const folder = folderOf(app)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < diskFreeMin) throw new Fault('server.storage_full', { detail: 'nearly' })
  const path = join(folder, `${namePrefix}${randomUUID()}`)
  const { O_RDWR, O_CREAT, O_EXCL } = constants
  const file = await open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
  await unlink(path)
  return file
}

/** Removes files whose process was killed between their creation and the removal of their names. */
export const removeSpoolLeftovers = async (app: App): Promise<void> => {
  const folder = folderOf(app)
  const names = await readdir(folder).catch(() => [])
  for (const name of names)
    if (name.startsWith(namePrefix)) await unlink(join(folder, name)).catch(() => {})
}
