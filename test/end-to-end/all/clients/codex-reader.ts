import { eventsOf } from './sse.ts'

type Json = Record<string, unknown>

/** A stream as Codex reads it. */
export type CodexAnswer = {
  items: Json[]
  text: string
  reasoning: string
  completed: { id: string; usage?: Json } | undefined
  failed: { code?: string; message?: string } | undefined
  /** Events that mean nothing to it. */
  ignored: string[]
  /** In milliseconds, from one event to the next. */
  longestSilence: number
}

const plain = new Set(['response.in_progress', 'response.output_item.added'])

/**
 * openai/codex codex-rs/codex-api/src/sse/responses.rs, `process_sse`: an event is what has data, the type in the data
 * counts and not the event's name, items come from `response.output_item.done`, and without `response.completed` the
 * stream "closed before" it. An event that is none of JSON is passed over.
 */
export const sayingOf = async (response: Response): Promise<CodexAnswer> => {
  const result: CodexAnswer = {
    items: [],
    text: '',
    reasoning: '',
    completed: undefined,
    failed: undefined,
    ignored: [],
    longestSilence: 0,
  }
  let last = performance.now()
  let isCreated = false
  for await (const { data, at } of eventsOf(response)) {
    result.longestSilence = Math.max(result.longestSilence, at - last)
    last = at
    const event = JSON.parse(data)
    if (result.completed || result.failed) throw new Error(`${event.type} after the end`)
    switch (event.type) {
      case 'response.created':
        isCreated = true
        break
      case 'response.output_item.done':
        if (!isCreated) throw new Error('an item before response.created')
        result.items.push(event.item)
        break
      case 'response.output_text.delta':
        result.text += event.delta
        break
      case 'response.reasoning_summary_text.delta':
        if (typeof event.summary_index !== 'number') throw new Error('a summary without its index')
        result.reasoning += event.delta
        break
      case 'response.reasoning_text.delta':
        if (typeof event.content_index !== 'number') throw new Error('a thought without its index')
        result.reasoning += event.delta
        break
      case 'response.failed':
        result.failed = event.response.error
        break
      case 'response.completed':
        if (typeof event.response.id !== 'string') throw new Error('completed without an id')
        result.completed = event.response
        break
      default:
        if (!plain.has(event.type)) result.ignored.push(event.type)
    }
  }
  if (!result.completed && !result.failed)
    throw new Error('stream closed before response.completed')
  return result
}
