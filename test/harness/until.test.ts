import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { node } from './paths.ts'
import { cpuMicrosByProcess } from './process/stats.ts'
import { until, untilResolved } from './runner/until.ts'

it('a wait returns the first truthy value, and an awaited event its value or its error', async () => {
  let looks = 0
  expect(await until('three looks', () => ++looks === 3 && 'seen')).toBe('seen')
  expect(await untilResolved('an event', Promise.resolve(7))).toBe(7)
  await expect(untilResolved('an event', Promise.reject(new Error('no')))).rejects.toThrow('no')
})

it('the CPU time of children is counted for each process', async () => {
  const child = spawn(node, ['-e', 'for (const end = Date.now() + 2e3; Date.now() < end;);'])
  const micros = () => cpuMicrosByProcess(process.pid, true).get(child.pid!) ?? 0
  await until('the child has worked', () => micros() > 50_000)
  expect([...cpuMicrosByProcess(child.pid!, false).keys()]).toEqual([child.pid])
  child.kill('SIGKILL')
})
