import type { Endpoint } from '@hub/contract'
import type { z } from 'zod'
import { type Call, splitInput } from './client.ts'
import { endpoints } from './endpoints.ts'
import { apiError } from './error.ts'

/** Calls an endpoint whose response is a stream of events, and passes each event on as it arrives. */
export const streamEvents = async <E extends Endpoint>(
  call: Call<E>,
  input: z.input<E['input']>,
  onEvent: (event: z.output<E['response']>) => void,
  signal: AbortSignal,
): Promise<void> => {
  const route = endpoints[call.resource]![call.action]!
  const { path, body } = splitInput(route, input as object)
  const response = await fetch(path, {
    method: route.method,
    headers: { 'content-type': 'application/json' },
    body: body ?? null,
    credentials: 'same-origin',
    signal,
  }).catch(cause => {
    if (signal.aborted) throw cause
    throw apiError(0)
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || !response.body)
    throw apiError(response.status, await response.json().catch(() => undefined))
  let text = ''
  for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (data) onEvent(JSON.parse(data))
    }
  }
}
