import { existsSync, statfsSync, statSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DoctorResult, failed, ok, reasonOf, warning } from './check.ts'

const mebibyte = 1_048_576
const freeFailedMiB = 100
const freeWarningMiB = 1024

/** Types of file systems in `statfs`: https://man7.org/linux/man-pages/man2/statfs.2.html */
const volatileTypes = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])
const networkTypes = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
])

type Where = { dataDir: string; databaseUrl: string | undefined }

export const checkDataFolder = async (where: Where): Promise<DoctorResult[]> => {
  const { dataDir } = where
  if (isInFile(dataDir))
    return [
      failed(
        'data folder',
        `DATA_DIR (${dataDir}) is not a folder, or lies in a file. Set it to a folder.`,
      ),
    ]
  if (!existsSync(dataDir))
    return [
      warning(
        'data folder',
        `${dataDir} does not exist yet. The first start makes it; if it should exist, check DATA_DIR.`,
      ),
    ]
  return [
    await checkRights(dataDir),
    await checkWrite(dataDir),
    checkFileSystem(where),
    checkSpace(dataDir),
    await checkJournal(dataDir),
  ]
}

/** Looks at the nearest part of the path that exists. */
const isInFile = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? !found.isDirectory() : dirname(path) !== path && isInFile(dirname(path))
}

const othersBits = 0o077

/** The key and the database must not be readable for other users of the machine. */
const checkRights = async (dataDir: string): Promise<DoctorResult> => {
  const names = ['.', 'master.key', 'hub.db']
  const open = names.filter(name => {
    const found = statSync(join(dataDir, name), { throwIfNoEntry: false })
    return found !== undefined && (found.mode & othersBits) !== 0
  })
  // SQLite gives its files the rights of the process; the folder around them is what closes them.
  const wrong = open.includes('.') ? open : open.filter(each => each === 'master.key')
  if (wrong.length === 0) return ok('access rights', `Only the owner may read ${dataDir}.`)
  const paths = wrong.map(each => (each === '.' ? dataDir : join(dataDir, each)))
  return failed(
    'access rights',
    `Other users of this machine may read ${paths.join(', ')}. Run chmod go= on each.`,
  )
}

const checkWrite = async (dataDir: string): Promise<DoctorResult> => {
  try {
    const folder = await mkdtemp(join(dataDir, 'doctor-'))
    try {
      const file = await open(join(folder, 'probe'), 'w')
      await file.writeFile('probe')
      await file.datasync().finally(() => file.close())
    } finally {
      await rm(folder, { recursive: true })
    }
    return ok('data folder', `${dataDir} can be written.`)
  } catch (error) {
    return failed(
      'data folder',
      `${dataDir} cannot be written: ${reasonOf(error)}. Give the user of the server the right to write there.`,
    )
  }
}

const checkFileSystem = ({ dataDir, databaseUrl }: Where): DoctorResult => {
  const { type } = statfsSync(dataDir)
  const memory = volatileTypes.get(type)
  if (memory)
    return warning(
      'file system',
      `${dataDir} is on ${memory}, which a restart empties. Put it on a disk.`,
    )
  const network = networkTypes.get(type)
  if (network && !databaseUrl)
    return warning(
      'file system',
      `The embedded database is on ${network}. Put DATA_DIR on a local disk.`,
    )
  return ok('file system', 'It keeps what is written.')
}

const checkSpace = (dataDir: string): DoctorResult => {
  const { bavail, bsize } = statfsSync(dataDir)
  return spaceResult(dataDir, Math.floor((bavail * bsize) / mebibyte))
}

/** `free` is in MiB. */
export const spaceResult = (dataDir: string, free: number): DoctorResult => {
  const text = `${free} MiB are free for ${dataDir}.`
  if (free < freeFailedMiB) return failed('disk', `${text} Free space, or calls will be refused.`)
  return free < freeWarningMiB ? warning('disk', `${text} Free space soon.`) : ok('disk', text)
}

const checkJournal = async (dataDir: string): Promise<DoctorResult> => {
  const names = (await readdir(dataDir)).filter(each => /^journal-\w+\.jsonl$/.test(each))
  const sizes = await Promise.all(names.map(async each => (await stat(join(dataDir, each))).size))
  const bytes = sizes.reduce((sum, each) => sum + each, 0)
  return bytes === 0
    ? ok('journal', 'No charge waits for the database.')
    : warning(
        'journal',
        `${bytes} bytes of charges wait for the database. A start with the same DATABASE_URL writes them.`,
      )
}
