import { contract, type Endpoint } from '@hub/contract'
import { z } from 'zod'
import { callApi } from '../../test/harness/admin.ts'
import type { TestHub } from './world.ts'

/** `rows` is absent where the answer is no page. */
export type ListTime = { name: string; rows: number | undefined; p50Ms: number; p95Ms: number }

type Named = { name: string; path: string; isOwn: boolean }

/** Every endpoint of the contract that answers a page, because it exists, and those of the operations home. */
const measuredReads = (): Named[] =>
  Object.entries(contract).flatMap(([resource, { base, endpoints }]) =>
    Object.entries(endpoints as Record<string, Endpoint>)
      .filter(
        ([, { method, input }]) =>
          method === 'GET' && (isPaged(input) || resource === 'operations'),
      )
      .map(([action, { path, access }]) => ({
        name: `${resource}.${action}`,
        path: `${base}${path}`,
        isOwn: access === 'user',
      })),
  )

const isPaged = (input: z.ZodType): boolean =>
  input instanceof z.ZodObject && 'page' in input.shape && 'size' in input.shape

/**
 * The first page of each list, and the operations home, as the console asks for them: what is one's own for the busy
 * user, the rest for the root.
 */
export const timeLists = async (hub: TestHub, calls: number): Promise<ListTime[]> => {
  const { gateway, cookie } = hub
  const times: ListTime[] = []
  for (const { name, path, isOwn } of measuredReads()) {
    const session = isOwn ? { cookie } : { bearer: gateway.accessToken }
    const took: number[] = []
    let rows: number | undefined
    for (let n = 0; n < calls; n += 1) {
      const since = performance.now()
      const response = await callApi<{ data?: unknown[] }>(gateway, session, 'GET', path)
      took.push(performance.now() - since)
      if (!response.success)
        throw new Error(`${name} answered ${response.status}: ${response.message}`)
      rows = Array.isArray(response.data.data) ? response.data.data.length : undefined
    }
    took.sort((a, b) => a - b)
    const at = (share: number) => took[Math.floor((took.length - 1) * share)] ?? 0
    times.push({ name, rows, p50Ms: at(0.5), p95Ms: at(0.95) })
  }
  return times
}
