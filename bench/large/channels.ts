import { administer, callApi } from '../../test/harness/admin.ts'
import { type Gateway, startGateway } from '../../test/harness/gateway.ts'
import { cpuMicros, rssBytes } from '../../test/harness/process/stats.ts'
import { cores } from '../cores.ts'
import { callFor, callWhile } from './callers.ts'

export type ChannelCosts = {
  channels: number
  /** Megabytes of resident memory after the start, without and with the channels, after calls and after edits. */
  rss: { empty: number; loaded: number; called: number; edited: number }
  editCpuMs: number
  firstCallMs: number
  nextCallMs: number
  /** CPU of the gateway for a call, while calls are spread over all channels. */
  callMicros: number
}

const edits = 100
const perRequest = 1_000
const modelsEach = 20
const callers = 32
const spreadSeconds = 10
const megabytes = (pid: number) => rssBytes(pid) / 2 ** 20

/** Channels of equal priority are drawn by chance, so that the calls are spread over all of them. */
const measureSpreadCalls = async ({ url, rootKey, pid }: Gateway): Promise<number> => {
  await callFor(url, [rootKey], callers, spreadSeconds / 2)
  const before = cpuMicros(pid)
  const { done } = await callFor(url, [rootKey], callers, spreadSeconds)
  return (cpuMicros(pid) - before) / done
}

/** The cost of an edit and of the call after a start, with many channels that all share their models. */
export const measureChannels = async (upstream: string, count: number): Promise<ChannelCosts> => {
  const gateway = await startGateway(cores.target === undefined ? {} : { core: cores.target })
  try {
    const admin = administer(gateway)
    const models = Array.from({ length: modelsEach - 1 }, (_, n) => `model-${n}`)
    await admin.setPrice('bench-model', 'tokens', 0.01, 0.02)
    await admin.api('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
    await gateway.stop()
    await gateway.start()
    const empty = megabytes(gateway.pid)
    for (let made = 0; made < count; made += perRequest)
      await admin.addChannel(upstream, {
        models: ['bench-model', ...models].join(','),
        key: Array.from({ length: perRequest }, (_, n) => `sk-${made + n}`).join('\n'),
      })
    await gateway.stop()
    await gateway.start()
    const loaded = megabytes(gateway.pid)
    const call = async () => {
      let calls = 0
      return (await callWhile(gateway.url, [gateway.rootKey], 1, () => calls++ === 0)).slowestMs
    }
    const firstCallMs = await call()
    const nextCallMs = await call()
    const callMicros = await measureSpreadCalls(gateway)
    const called = megabytes(gateway.pid)

    const before = cpuMicros(gateway.pid)
    for (let id = 1; id <= edits; id += 1) {
      const session = { bearer: gateway.accessToken }
      const body = { id, weight: 2, priority: id % 2 }
      const { status } = await callApi(gateway, session, 'PUT', '/api/channel/', body)
      if (status !== 200) throw new Error(`an edit was answered with ${status}`)
    }
    const editCpuMs = (cpuMicros(gateway.pid) - before) / 1_000 / edits
    const rss = { empty, loaded, called, edited: megabytes(gateway.pid) }
    return { channels: count, rss, editCpuMs, firstCallMs, nextCallMs, callMicros }
  } finally {
    await gateway.close()
  }
}
