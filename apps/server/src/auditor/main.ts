import { readDatabaseEnv } from '../env.ts'
import { serverPrograms } from '../lib/command-line/programs.mjs'
import { runProgram } from '../lib/command-line/run.ts'
import { audit } from './audit.ts'
import { formatReport } from './report.ts'

/** Not knowing is not clean: another code than a finding has. */
const notRunCode = 2

await runProgram(
  serverPrograms.audit,
  async () => {
    const report = await audit(readDatabaseEnv())
    console.log(formatReport(report))
    process.exitCode = report.isClean ? 0 : 1
  },
  notRunCode,
)
