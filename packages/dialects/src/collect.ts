import type { ChatAnswer, ChatEvent, Choice, Part, UnknownFields } from './canon.ts'

/** Builds an answer from the events of a stream. */
export const collectAnswer = (events: Iterable<ChatEvent>): ChatAnswer => {
  const answer = emptyAnswer()
  for (const event of events) addEvent(answer, event)
  return answer
}

export const emptyAnswer = (): ChatAnswer => ({ id: '', model: '', choices: [] })

/** Adds one event to the answer. It copies what later events extend, so the event itself never changes. */
export const addEvent = (answer: ChatAnswer, event: ChatEvent): void => {
  switch (event.type) {
    case 'start': {
      const { type, unknownFields, ...facts } = event
      Object.assign(answer, facts)
      if (unknownFields) answer.unknownFields = merged(answer.unknownFields, unknownFields)
      return
    }
    case 'part':
      choiceOf(answer, event.choice).parts[event.index] = { ...event.part }
      return
    case 'delta': {
      const part = partOf(answer, event)
      grow(part, event.text)
      if (event.logprobs && part?.type === 'text')
        part.logprobs = [...(part.logprobs ?? []), ...event.logprobs]
      return
    }
    case 'transcript': {
      const part = partOf(answer, event)
      if (part?.type === 'media') part.transcript = (part.transcript ?? '') + event.text
      return
    }
    case 'signature': {
      const part = partOf(answer, event)
      if (part) Object.assign(part, { signature: event.signature })
      return
    }
    case 'citation': {
      const part = partOf(answer, event)
      if (part?.type === 'text') part.citations = [...(part.citations ?? []), event.citation]
      return
    }
    case 'usage':
      answer.reportedUsage = { ...answer.reportedUsage, ...event.reportedUsage }
      return
    case 'finish':
      choiceOf(answer, event.choice).finish = event.finish
      return
    case 'unknown-fields': {
      const at = event.index !== undefined ? partOf(answer, event) : holderOf(answer, event.choice)
      if (at) at.unknownFields = merged(at.unknownFields, event.unknownFields)
      return
    }
    case 'opaque':
    case 'failure':
    case 'end':
      return
  }
}

const choiceOf = (answer: ChatAnswer, choice = 0): Choice => {
  while (answer.choices.length <= choice) answer.choices.push({ parts: [] })
  return answer.choices[choice]!
}

const partOf = (
  { choices }: ChatAnswer,
  { choice = 0, index = -1 }: { choice?: number; index?: number },
): Part | undefined => choices[choice]?.parts[index]

const holderOf = (answer: ChatAnswer, choice: number | undefined): ChatAnswer | Choice =>
  choice === undefined ? answer : choiceOf(answer, choice)

const merged = (before: UnknownFields | undefined, unknownFields: UnknownFields): UnknownFields =>
  before ? { ...before, fields: { ...before.fields, ...unknownFields.fields } } : unknownFields

const grow = (part: Part | undefined, text: string): void => {
  if (part?.type === 'tool-call') part.input += text
  else if (part?.type === 'text' || part?.type === 'thinking') part.text += text
  else if (part?.type === 'media') part.base64 = joined(part.base64 ?? '', text)
  else if (part?.type === 'opaque') part.streamedText = (part.streamedText ?? '') + text
}

/** Each chunk of audio is base64 of its own. After a padded chunk the bytes are joined and not the text. */
const joined = (before: string, text: string): string =>
  before.endsWith('=')
    ? Buffer.concat([Buffer.from(before, 'base64'), Buffer.from(text, 'base64')]).toString('base64')
    : before + text

/** The inverse of `collectAnswer`, for a caller that requested a stream from an upstream that cannot stream. */
export function* answerEvents(answer: ChatAnswer): Generator<ChatEvent> {
  const { choices, reportedUsage, ...facts } = answer
  yield { type: 'start', ...facts, ...(reportedUsage ? { reportedUsage } : {}) }
  for (const [at, { parts, unknownFields }] of choices.entries()) {
    const choice = at === 0 ? {} : { choice: at }
    for (const [index, part] of parts.entries()) yield { type: 'part', ...choice, index, part }
    if (unknownFields) yield { type: 'unknown-fields', choice: at, unknownFields }
  }
  if (reportedUsage) yield { type: 'usage', reportedUsage }
  for (const [at, { finish }] of choices.entries())
    if (finish) yield { type: 'finish', ...(at === 0 ? {} : { choice: at }), finish }
  yield { type: 'end' }
}

/** Gives each call without an id the same one in a stream and in a whole answer, because results name it. */
export const callNamer = (answerId: string): ((choice: number, part: Part) => void) => {
  const counts: number[] = []
  return (choice, part) => {
    if (part.type !== 'tool-call') return
    const count = counts[choice] ?? 0
    counts[choice] = count + 1
    if (part.id === '') part.id = `call_${answerId}_${choice}_${count}`
  }
}

/** Names the calls of a whole answer. */
export const nameCalls = (answer: ChatAnswer): ChatAnswer => {
  const nameCall = callNamer(answer.id)
  for (const [at, { parts }] of answer.choices.entries())
    for (const part of parts) nameCall(at, part)
  return answer
}
