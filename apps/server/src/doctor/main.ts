import { parseArgs } from 'node:util'
import { type DoctorResult, examine } from './index.ts'

const usage = `npm run doctor [-- --json]

Looks at configuration, database, Redis, disk, clock, e-mail and the hosts of the channels. It changes nothing, and the
server may run. Exit code: 0 nothing failed, 1 something failed, 2 it could not look.
`

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

const main = async (args: string[]) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const results = await examine()
  const hasFailed = results.some(each => each.state === 'failed')
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ok: !hasFailed, checks: results }, undefined, 2)}\n`
      : print(results),
  )
  process.exitCode = hasFailed ? 1 : 0
}

main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exitCode = 2
})
