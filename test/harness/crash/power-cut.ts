import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../engines.ts'
import { databaseFile } from '../ledger.ts'
import { isStopped } from '../process/stats.ts'
import { until } from '../runner/until.ts'
import type { Crash } from './crash-rounds.ts'

/** Makes the gateway record how much of its log is flushed, without a kill at any step. */
export const failpointLog = { FAILPOINT: '0' }

/**
 * The power fails: of the write-ahead log only that is left what was flushed before. Answers how many bytes were lost.
 * The gateway must have been started with `noting`.
 */
const cutPower =
  (lost: (bytes: number) => void): Crash =>
  async ({ gateway }, stopLoad) => {
    // All threads stop at one instant, so no later write reaches the file.
    gateway.signal('SIGSTOP')
    await until('it stands still', () => isStopped(gateway.pid))
    const file = databaseFile(gateway.dataDir)
    const log = `${file}-wal`
    const flushed = Number(readFileSync(`${file}.flushed`, 'utf8'))
    gateway.signal('SIGKILL')
    await gateway.exited()
    await stopLoad()
    if (existsSync(log)) {
      const { length } = readFileSync(log)
      lost(Math.max(0, length - flushed))
      if (flushed < length) truncateSync(log, flushed)
    }
    rmSync(`${file}-shm`, { force: true })
    const database = new DatabaseSync(file)
    const [integrity] = database.prepare('pragma integrity_check').all()
    database.close()
    if (integrity?.integrity_check !== 'ok')
      throw new Error(`integrity_check: ${JSON.stringify(integrity)}`)
    await gateway.start()
  }

/** Every process of the database server dies at once while the gateway lives; a while later it is started again. */
const killServer: Crash = async (hub, stopLoad, random) => {
  const start = await hub.database.kill()
  await sleep(random() * 1_500)
  await start()
  const isReady = () =>
    fetch(`${hub.gateway.url}/readyz`).then(
      response => response.ok,
      () => false,
    )
  await until('the gateway is ready again', isReady)
  await stopLoad()
}

export const breakPower = (engine: Engine, lost: (bytes: number) => void): Crash =>
  engine.name === 'SQLite' ? cutPower(lost) : killServer
