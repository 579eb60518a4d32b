import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { node } from './paths.ts'
import { cpuMicrosByProcess } from './process/stats.ts'
import { until, untilResolved, type WaitLimits } from './runner/until.ts'

/** Works without an end for about a third of the time, so that a busy machine is not made busier. */
const work = `setInterval(() => {
  for (const end = process.cpuUsage().user + 3e4; process.cpuUsage().user < end;);
}, 70)`

it('a wait returns the first truthy value, and an awaited event its value or its error', async () => {
  let looks = 0
  expect(await until('three looks', () => ++looks === 3 && 'seen')).toBe('seen')
  expect(await untilResolved('an event', Promise.resolve(7))).toBe(7)
  await expect(untilResolved('an event', Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('the CPU time of children is counted for each process', async () => {
  const child = spawn(node, ['-e', work])
  const micros = () => cpuMicrosByProcess(process.pid, true).get(child.pid!) ?? 0
  await until('the child has worked', () => micros() > 50_000)
  expect([...cpuMicrosByProcess(child.pid!, false).keys()]).toEqual([child.pid])
  child.kill('SIGKILL')
})

describe.each([
  [
    'until',
    (limits: WaitLimits, child?: ChildProcess) => until('the end', () => false, child, limits),
  ],
  [
    'untilResolved',
    (limits: WaitLimits, child?: ChildProcess) =>
      untilResolved('the end', new Promise(() => undefined), child, limits),
  ],
] as const)('%s', (_name, wait) => {
  const children: ChildProcess[] = []
  const start = (script: string) => {
    const child = spawn(node, ['-e', script])
    children.push(child)
    return child
  }
  afterEach(() => {
    for (const each of children.splice(0)) each.kill('SIGKILL')
  })

  it('ends in an error when the awaited process has worked without an end', async () => {
    const child = start(work)
    const limits = { cpuSeconds: 0.1, clockSeconds: 600 }
    await expect(wait(limits, child)).rejects.toThrow('after 0.1 s of CPU time still not: the end')
  })

  it('ends in an error when any child has worked without an end', async () => {
    start(work)
    const limits = { cpuSeconds: 0.1, clockSeconds: 600 }
    await expect(wait(limits)).rejects.toThrow('after 0.1 s of CPU time still not: the end')
  })

  it('ends in an error by the clock when the awaited process hangs', async () => {
    const child = start('setInterval(() => {}, 1e6)')
    const limits = { cpuSeconds: 60, clockSeconds: 2 }
    await expect(wait(limits, child)).rejects.toThrow('after 2 s still not: the end')
  })
})
