import type { ChatAnswer, ChatEvent, Part } from '../canon.ts'
import { ownEnds } from '../reasons/finish-reasons.ts'
import { type Emptiness, endOf, joinEmptiness } from './emptiness.ts'

const isOutput = (part: Part): boolean => {
  if (part.type === 'text') return part.text !== ''
  return part.type !== 'thinking' || part.text !== '' || part.redacted === true
}

/** Reads the emptiness of one event of a translated stream. Undefined: it has output. */
export const emptinessOfEvent = (event: ChatEvent): Emptiness | undefined => {
  switch (event.type) {
    case 'part':
      return isOutput(event.part) ? undefined : 'unfinished'
    case 'delta':
    case 'transcript':
      return event.text === '' ? 'unfinished' : undefined
    case 'citation':
      return undefined
    case 'finish':
      return endOf(event.finish.reason, ownEnds)
    default:
      return 'unfinished'
  }
}

/** Reads the emptiness of a whole answer. Undefined: it has output. */
export const emptinessOfAnswer = ({ choices }: ChatAnswer): Emptiness | undefined =>
  joinEmptiness(
    choices.map(({ parts, finish }) =>
      parts.some(isOutput) ? undefined : endOf(finish?.reason, ownEnds),
    ),
  )
