import { readFileSync } from 'node:fs'

const lookMilliseconds = 1_000
/** npm, its shell, this process: there may be one more between them. */
const generationsMax = 3

const parentOf = pid => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])

const isNpm = pid => /\bnpm\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0])

const findNpm = () => {
  let pid = process.ppid
  for (let n = 0; n < generationsMax && pid > 1; n++) {
    if (isNpm(pid)) return pid
    pid = parentOf(pid)
  }
  return undefined
}

const isRunning = pid => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Asks this process to stop when the npm that started it is gone: npm cannot pass on a SIGKILL. */
export const stopWithNpm = () => {
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return
  const npm = findNpm()
  if (npm === undefined) return
  const timer = setInterval(() => {
    if (isRunning(npm)) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookMilliseconds)
  timer.unref()
}
