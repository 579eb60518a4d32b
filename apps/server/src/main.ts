import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp, type RunningApp } from './app.ts'
import { stopMarginSeconds } from './close-app.ts'
import { type Env, readEnv } from './env.ts'
import { serverPrograms } from './lib/command-line/programs.mjs'
import { readCommandLine } from './lib/command-line/read.mjs'
import { failureText } from './lib/command-line/run.ts'
import { armFailpoint } from './lib/failpoint.ts'
import { releaseMemoryAfterRest } from './lib/runtime/idle-memory.ts'
import { returnLargeBlocks } from './lib/runtime/malloc.ts'
import { offsetClock } from './lib/time/offset-clock.ts'

const main = async () => {
  readCommandLine(serverPrograms.start)
  // Nobody else on the machine reads the database, the journal or the master key.
  process.umask(0o077)
  await returnLargeBlocks()
  const env = readEnv()
  armFailpoint(env.failpoint, 'start')
  if (env.failpoint) process.on('SIGUSR2', () => armFailpoint(env.failpoint, 'signal'))
  const clock = env.clockOffsetFile ? { now: offsetClock(env.clockOffsetFile) } : {}
  const running = await buildApp(env, {
    waitForBalancers: () => sleep(env.stopDelaySeconds * 1_000),
    announceFirstPassword: announce,
    ...clock,
  })
  stopOnRequest(running, env)
  const port = await running.listen()
  armFailpoint(env.failpoint, 'open')
  releaseMemoryAfterRest(running.releaseMemory, error =>
    running.app.log.warn({ err: error }, 'memory could not be released'),
  )
  process.stdout.write(`listening on http://localhost:${port}\n`)
}

const announce = (password: string) =>
  process.stdout.write(
    `\nThe administrator is \`root\` with the password\n\n    ${password}\n\nIt is shown this once; the console asks for another at the first sign-in.\n\n`,
  )

/**
 * The first signal stops the process gracefully, the second at once; recovery then settles open calls. The end of
 * `npm start`, even by SIGKILL, closes its channel to this process and counts as the first signal.
 */
const stopOnRequest = (
  { app, close }: RunningApp,
  { stopDelaySeconds, stopDeadlineSeconds }: Env,
) => {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    const end = () => {
      app.log.fatal('the process did not stop in time')
      process.exit(1)
    }
    setTimeout(end, (stopDelaySeconds + stopDeadlineSeconds + stopMarginSeconds) * 1_000).unref()
    await close(stopDeadlineSeconds)
    process.exit(0)
  }
  const onRequest = () => {
    stop().catch(error => {
      app.log.fatal({ err: error }, 'the process could not stop gracefully')
      process.exit(1)
    })
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onRequest)
  process.once('disconnect', () => {
    if (!isStopping) onRequest()
  })
  // The channel alone must not keep the process alive.
  process.channel?.unref()
  process.on('unhandledRejection', error => {
    app.metrics.unhandledRejections.inc()
    app.log.error({ err: error }, 'unhandled promise rejection')
  })
}

main().catch(error => {
  process.stderr.write(`${failureText(error)}\n`)
  process.exit(1)
})
