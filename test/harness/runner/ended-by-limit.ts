import type { ClientRequest } from 'node:http'
import type { SettingKey } from '@hub/contract'
import type { ObservedCall } from '../client.ts'
import type { TestHub } from '../test-hub.ts'
import { until } from './until.ts'

type LimitedCall = {
  key: string
  model: string
  stream?: boolean
  /** The number of calls that the vendor has; absent: those that the fake vendor serves. */
  received?: () => number
}

/**
 * Makes the same call under a long limit and then, while that one runs, under a short one, and returns the second as it
 * ended. Throws if the first has ended too: then something else than the limit ends them.
 */
export const endedByLimit = async (
  hub: TestHub,
  setting: SettingKey,
  [long, short]: readonly [string, string],
  { received = () => hub.upstream.served.length, ...call }: LimitedCall,
): Promise<ObservedCall> => {
  await hub.admin.setOption(setting, long)
  const before = received()
  const sent = Promise.withResolvers<ClientRequest>()
  let isFirstOver = false
  const first = hub.ask({ ...call, onSent: sent.resolve }).then(() => {
    isFirstOver = true
  })
  await until('the first call is under way', () => received() > before)
  await hub.admin.setOption(setting, short)
  const second = await hub.ask(call)
  if (isFirstOver) throw new Error(`a call under ${setting} = ${long} ended too`)
  const request = await sent.promise
  request.destroy()
  await first
  return second
}
