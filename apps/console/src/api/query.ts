import type { Endpoint } from '@hub/contract'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Call } from './client.ts'

/** Query options of a call, as in `useQuery(query(api.tokens.get, { id }))`. The key is its name and input. */
export const query = <E extends Endpoint>(call: Call<E>, input?: z.input<E['input']>) =>
  queryOptions({
    queryKey:
      input === undefined ? [call.resource, call.action] : [call.resource, call.action, input],
    queryFn: ({ signal }) => run(call, input, signal) as Promise<z.output<E['response']>>,
  })

type Loose = (input?: unknown, signal?: AbortSignal) => Promise<unknown>
const run = (call: unknown, input: unknown, signal: AbortSignal) => (call as Loose)(input, signal)
