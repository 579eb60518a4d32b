import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** In DATA_DIR. Nodes read it for their metrics, so that an alert rings when audits stop. */
export const lastAuditFile = 'last-audit.json'

export const recordAudit = (dataDir: string, findings: number): void => {
  const at = Math.floor(Date.now() / 1000)
  try {
    writeFileSync(join(dataDir, lastAuditFile), `${JSON.stringify({ at, findings })}\n`)
  } catch (error) {
    console.error(`The audit could not be recorded in DATA_DIR: ${(error as Error).message}`)
  }
}
