import { readDatabaseEnv } from '../env.ts'
import { audit } from './audit.ts'
import { formatReport } from './report.ts'

try {
  const report = await audit(readDatabaseEnv())
  console.log(formatReport(report))
  process.exitCode = report.isClean ? 0 : 1
} catch (error) {
  // Not knowing is not clean: another code than a finding has.
  console.error(`The audit could not be made: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 2
}
