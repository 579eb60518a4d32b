import { Fault } from '@hub/contract'
import { buildApp, type RunningApp } from './app.ts'
import { readEnv } from './env.ts'
import { movedClock } from './lib/clock.ts'
import { armFailpoint } from './lib/failpoint.ts'

const deadlineSeconds = 25
const acceptDelayMilliseconds = 500

const main = async () => {
  const env = readEnv()
  armFailpoint(env.failpoint, 'start')
  if (env.failpoint) process.on('SIGUSR2', () => armFailpoint(env.failpoint, 'signal'))
  const clock = env.clockOffsetFile ? { now: movedClock(env.clockOffsetFile) } : {}
  const running = await buildApp(env, { acceptDelayMilliseconds, ...clock })
  stopOnSignals(running)
  const port = await running.listen()
  armFailpoint(env.failpoint, 'open')
  if (running.firstPassword) announce(running.firstPassword)
  process.stdout.write(`listening on http://localhost:${port}\n`)
}

const announce = (password: string) =>
  process.stdout.write(
    `\nThe administrator is \`root\` with the password\n\n    ${password}\n\nIt is shown this once; the console asks for another at the first sign-in.\n\n`,
  )

/** The first signal ends the process well, the second at once: what is lost then, recovery finds. */
const stopOnSignals = ({ app, close }: RunningApp) => {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    await close(deadlineSeconds)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      stop().catch(error => {
        app.log.fatal({ err: error }, 'the process could not end well')
        process.exit(1)
      })
    })
  process.on('unhandledRejection', error => {
    app.metrics.unhandledRejections.inc()
    app.log.error({ err: error }, 'a rejection that nobody handled')
  })
}

main().catch(error => {
  const isKnown = error instanceof Fault
  process.stderr.write(`${isKnown ? error.message : (error?.stack ?? error)}\n`)
  process.exit(1)
})
