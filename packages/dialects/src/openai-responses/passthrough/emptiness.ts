import { listOf } from '../../decode-values.ts'
import { type Emptiness, hasText, type ReadEmptiness } from '../../empty-answers/emptiness.ts'
import type { Json } from '../../json/json.ts'

/** Events about the whole response that come before its output. They repeat the request, so they are not decoded. */
export const openingTypes = ['response.created', 'response.in_progress', 'response.queued'] as const

const ends: ReadonlyMap<unknown, Emptiness> = new Map([
  ['completed', 'stopped'],
  ['incomplete', 'limited'],
  ['cancelled', 'limited'],
])

/** Reads an event or a whole answer. Items other than messages and reasoning are output without a text too. */
export const readEmptiness: ReadEmptiness = event => {
  const { type, response, item } = event
  if (typeof type !== 'string') return emptinessOfResponse(event, event.status)
  if (openingTypes.some(each => each === type)) return 'unfinished'
  // The type of a closing event is its status too, which some vendors leave out.
  if (response) return emptinessOfResponse(response, type.slice('response.'.length))
  if (item) return isOutput(item) ? undefined : 'unfinished'
  return hasText(event) ? undefined : 'unfinished'
}

const emptinessOfResponse = ({ output }: Json, status: unknown): Emptiness | undefined =>
  listOf(output).some(isOutput) ? undefined : (ends.get(status) ?? 'unfinished')

const isOutput = (item: Json): boolean => {
  if (item?.type === 'message') return hasText(item.content)
  return item?.type === 'reasoning'
    ? hasText([item.summary, item.content])
    : item?.type !== undefined
}
