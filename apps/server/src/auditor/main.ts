import { readDatabaseEnv } from '../env.ts'
import { serverPrograms } from '../lib/command-line/programs.mjs'
import { runProgram } from '../lib/command-line/run.ts'
import { audit } from './audit.ts'
import { recordAudit } from './last-audit.ts'
import { formatReport } from './report.ts'

/** Not knowing is not clean: another code than a finding has. */
const notRunCode = 2

await runProgram(
  serverPrograms.audit,
  async () => {
    const source = readDatabaseEnv()
    const report = await audit(source)
    console.log(formatReport(report))
    recordAudit(
      source.dataDir,
      report.results.reduce((sum, { findings }) => sum + findings.length, 0),
    )
    process.exitCode = report.isClean ? 0 : 1
  },
  notRunCode,
)
