import { serverPrograms } from '../lib/command-line/programs.mjs'
import { runProgram } from '../lib/command-line/run.ts'
import { type DoctorResult, examine } from './index.ts'

const marks: Record<DoctorResult['state'], string> = {
  ok: 'ok      ',
  warning: 'warning ',
  failed: 'FAILED  ',
  skipped: '-       ',
}

const print = (results: readonly DoctorResult[]): string => {
  const width = Math.max(...results.map(each => each.check.length))
  const lines = results.map(
    ({ check, state, text }) => `${marks[state]}${check.padEnd(width)}  ${text}`,
  )
  const count = (state: DoctorResult['state']) =>
    results.filter(each => each.state === state).length
  return `\n${lines.join('\n')}\n\n${count('failed')} failed, ${count('warning')} warnings.\n`
}

const couldNotLookCode = 2

await runProgram(
  serverPrograms.doctor,
  async line => {
    const results = await examine()
    const hasFailed = results.some(each => each.state === 'failed')
    process.stdout.write(
      line.flag('json')
        ? `${JSON.stringify({ ok: !hasFailed, checks: results }, undefined, 2)}\n`
        : print(results),
    )
    process.exitCode = hasFailed ? 1 : 0
  },
  couldNotLookCode,
)
