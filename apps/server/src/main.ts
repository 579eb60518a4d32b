import { Fault } from '@hub/contract'
import { buildApp, type RunningApp } from './app.ts'
import { readEnv } from './env.ts'
import { armFailpoint } from './lib/failpoint.ts'
import { offsetClock } from './lib/time/offset-clock.ts'

const deadlineSeconds = 25
const acceptDelayMilliseconds = 500

const main = async () => {
  const env = readEnv()
  armFailpoint(env.failpoint, 'start')
  if (env.failpoint) process.on('SIGUSR2', () => armFailpoint(env.failpoint, 'signal'))
  const clock = env.clockOffsetFile ? { now: offsetClock(env.clockOffsetFile) } : {}
  const running = await buildApp(env, {
    acceptDelayMilliseconds,
    announceFirstPassword: announce,
    ...clock,
  })
  stopOnSignals(running)
  const port = await running.listen()
  armFailpoint(env.failpoint, 'open')
  process.stdout.write(`listening on http://localhost:${port}\n`)
}

const announce = (password: string) =>
  process.stdout.write(
    `\nThe administrator is \`root\` with the password\n\n    ${password}\n\nIt is shown this once; the console asks for another at the first sign-in.\n\n`,
  )

/** The first signal stops the process gracefully, the second at once; recovery then settles open calls. */
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
        app.log.fatal({ err: error }, 'the process could not stop gracefully')
        process.exit(1)
      })
    })
  process.on('unhandledRejection', error => {
    app.metrics.unhandledRejections.inc()
    app.log.error({ err: error }, 'unhandled promise rejection')
  })
}

main().catch(error => {
  const isKnown = error instanceof Fault
  process.stderr.write(`${isKnown ? error.message : (error?.stack ?? error)}\n`)
  process.exit(1)
})
