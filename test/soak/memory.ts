import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, mapConcurrently, type ObservedCall, unlimitedAgent } from '../harness/client.ts'
import { type Crash, crashRounds, isSound } from '../harness/crash/crash-rounds.ts'
import { rssBytes } from '../harness/process/stats.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { guarded, type Part } from './part.ts'

const mebibyte = 2 ** 20
const limitBytes = 256 * mebibyte
const loadSeconds = 60

type Group = {
  name: string
  /** Processes that the work starts stay in the control group; this process leaves it again. */
  within(work: () => Promise<void>): Promise<void>
  remove(): void
}

/** A container's limit, by the kernel: version 2 or 1 of its groups. Where neither may be made, the heap alone is bounded. */
const group = (): Group | undefined => {
  const places = [
    { folder: '/sys/fs/cgroup/memory', file: 'memory.limit_in_bytes' },
    { folder: '/sys/fs/cgroup', file: 'memory.max' },
  ]
  for (const { folder, file } of places) {
    const own = `${folder}/hub-soak-${process.pid}`
    try {
      mkdirSync(own)
      writeFileSync(`${own}/${file}`, String(limitBytes))
      return {
        name: `${file} = ${limitBytes / mebibyte} MiB`,
        within: async work => {
          writeFileSync(`${own}/cgroup.procs`, String(process.pid))
          await work().finally(() => writeFileSync(`${folder}/cgroup.procs`, String(process.pid)))
        },
        remove: () => rmdirSync(own),
      }
    } catch {
      // The other version, or none.
    }
  }
  return undefined
}

type Count = { complete: number; shed: number; other: number; highest: number; died: number }

/** Large prompts and long streams, more than the memory can hold, for a minute. */
const press = async (hub: TestHub, key: string, count: Count): Promise<void> => {
  const agent = unlimitedAgent()
  const end = Date.now() + loadSeconds * 1_000
  const note = ({ complete, status }: ObservedCall) => {
    if (complete) count.complete += 1
    else if (status === 503) count.shed += 1
    else count.other += 1
  }
  const content = 'word '.repeat(200_000)
  const watch = setInterval(() => {
    try {
      const bytes = rssBytes(hub.gateway.pid)
      if (bytes > count.highest) count.highest = bytes
    } catch {
      // It died just now.
    }
  }, 100)
  await mapConcurrently(300, 300, async at => {
    while (Date.now() < end && count.died === 0) {
      const body = { messages: [{ role: 'user', content }], max_tokens: 50 }
      const seen = await ask({
        url: hub.gateway.url,
        key,
        agent,
        model: 'any:in=10;out=20;every=20',
        stream: at % 2 === 0,
        body,
      })
      note(seen)
      if (!seen.complete) await sleep(100)
    }
  })
  clearInterval(watch)
  agent.destroy()
}

export const memory: Part = {
  name: 'memory',
  title: 'R6: out of memory',
  intro: `300 clients send prompts of a megabyte for a minute, on top of a load of 50. Excess calls are refused with 503 before
the kernel kills the process; where it does kill it, the guarantees of a crash hold.`,
  columns: [
    'Engine',
    'Limit',
    'Seed',
    'Complete',
    'Shed with 503',
    'Other',
    'Highest MiB',
    'Deaths',
    'Sound',
  ],
  run: async ({ engines, seed }) => {
    const rows: (string | number)[][] = []
    for (const engine of engines) {
      const limit = group()
      const count: Count = { complete: 0, shed: 0, other: 0, highest: 0, died: 0 }
      const pressed: Crash = async (hub, stopLoad) => {
        const person = await hub.admin.addPerson(100_000_000_000)
        // Memory that it had before it came into the group would not count.
        await hub.gateway.stop('SIGKILL')
        await (limit?.within(() => hub.gateway.start()) ?? hub.gateway.start())
        let isOver = false
        void hub.gateway.exited().then(() => {
          if (!isOver) count.died += 1
        })
        const pressing = press(hub, person.key, count)
        await Promise.race([pressing, hub.gateway.exited()])
        isOver = true
        await stopLoad()
        await hub.gateway.stop('SIGKILL')
        await pressing
        await hub.gateway.start()
      }
      const sound = await guarded(
        `${engine.name}, memory, seed ${seed}`,
        async () => {
          const nodeArguments = limit ? [] : ['--max-old-space-size=128']
          const hub = await startTestHub(engine, { nodeArguments })
          try {
            const report = await crashRounds(hub, {
              rounds: 1,
              inFlight: 50,
              seed,
              crash: pressed,
            })
            console.log(`R6 on ${engine.name}: ${JSON.stringify(count)} ${JSON.stringify(report)}`)
            return isSound(report)
          } finally {
            await hub.close()
          }
        },
        () => false,
      )
      limit?.remove()
      rows.push([
        engine.name,
        limit?.name ?? 'heap of 128 MiB',
        seed,
        count.complete,
        count.shed,
        count.other,
        Math.round(count.highest / mebibyte),
        count.died,
        sound ? 'yes' : 'NO',
      ])
    }
    return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
  },
}
