import { audit } from '../../apps/server/src/auditor/audit.ts'
import { formatReport } from '../../apps/server/src/auditor/report.ts'
import type { Gateway } from './gateway.ts'

/** Runs the auditor that ships with the product, and fails with its words if it finds anything. */
export const auditLedger = async (
  gateway: Pick<Gateway, 'dataDir' | 'databaseUrl'>,
): Promise<void> => {
  const { dataDir, databaseUrl } = gateway
  const report = await audit({ dataDir, databaseUrl })
  if (!report.isClean) throw new Error(`the auditor found something:\n${formatReport(report)}`)
}
