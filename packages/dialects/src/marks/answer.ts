import type { ChatAnswer, ChatEvent, Citation, Part, Signature } from '../canon.ts'
import type { CallerDialectId, DialectId } from '../dialect-id.ts'
import { type Mark, markCallId } from './mark.ts'

/** Marks what is no vendor's own in an answer that is translated for a caller of another dialect. */
export type AnswerMarks = { mark: Mark; from: CallerDialectId; to: DialectId }

/** Marks a whole answer. Its id is marked by whoever chooses it, and the ids of its items come from that. */
export const markAnswer = (answer: ChatAnswer, marks: AnswerMarks): ChatAnswer =>
  marks.from === marks.to
    ? answer
    : {
        ...answer,
        choices: answer.choices.map(choice => ({
          ...choice,
          parts: choice.parts.map(part => withProof(marked(part, marks), marks)),
        })),
      }

/** Marks events in their order; each becomes one or two. */
export const eventMarker = (marks: AnswerMarks): ((event: ChatEvent) => readonly ChatEvent[]) => {
  if (marks.from === marks.to) return event => [event]
  /** The open thought, by its choice, while its vendor has sent no signature. */
  const unproved = new Map<number, { index: number; choice?: number }>()
  return event => {
    if (event.type === 'signature') {
      unproved.delete(event.choice ?? 0)
      return [{ ...event, signature: markSignature(event.signature, marks) }]
    }
    if (event.type === 'citation')
      return [{ ...event, citation: markCitation(event.citation, marks) }]
    const proofs = endsPart(event) ? proofsOf(event, unproved, marks) : []
    if (event.type !== 'part') return [...proofs, event]
    const { index, choice } = event
    const part = marked(event.part, marks)
    if (needsProof(part, marks) && part.type === 'thinking')
      unproved.set(choice ?? 0, { index, ...(choice === undefined ? {} : { choice }) })
    else return [...proofs, { ...event, part: withProof(part, marks) }]
    return [...proofs, { ...event, part }]
  }
}

const endsPart = ({ type }: ChatEvent): boolean =>
  type === 'part' || type === 'finish' || type === 'end'

const proofsOf = (
  event: ChatEvent,
  unproved: Map<number, { index: number; choice?: number }>,
  marks: AnswerMarks,
): ChatEvent[] => {
  const ended =
    event.type === 'end' ? [...unproved.keys()] : [('choice' in event && event.choice) || 0]
  return ended.flatMap(choice => {
    const place = unproved.get(choice)
    unproved.delete(choice)
    return place ? [{ type: 'signature' as const, ...place, signature: proofOf(marks) }] : []
  })
}

const marked = (part: Part, marks: AnswerMarks): Part => {
  if (part.type === 'tool-call') {
    const id = markCallId(part.id, marks.from, marks.mark)
    return withSignature(id === part.id ? part : { ...part, id }, marks)
  }
  if (part.type === 'thinking') return withSignature(part, marks)
  if (part.type !== 'text') return part
  const { citations } = part
  const text = citations
    ? { ...part, citations: citations.map(each => markCitation(each, marks)) }
    : part
  return withSignature(text, marks)
}

const withSignature = <P extends { signature?: Signature }>(part: P, marks: AnswerMarks): P =>
  part.signature ? { ...part, signature: markSignature(part.signature, marks) } : part

/** A signature of the caller's own vendor stays byte for byte. */
const markSignature = (signature: Signature, { mark, from }: AnswerMarks): Signature =>
  signature.dialect === from ? signature : { ...signature, text: mark + signature.text }

/**
 * The mark stands for a proof that a dialect wants and that is missing: clients of Anthropic send thoughts back with
 * what stands in `signature`, and Gemini refuses calls that have none.
 */
const needsProof = (part: Part, { from }: AnswerMarks): boolean =>
  (from === 'anthropic' && part.type === 'thinking' && !part.signature) ||
  (from === 'gemini' && part.type === 'tool-call' && !part.signature)

/** No vendor has signatures of this dialect, so that the mark alone is nobody's. */
const proofOf = ({ mark }: AnswerMarks): Signature => ({ dialect: 'openai-chat', text: mark })

const withProof = (part: Part, marks: AnswerMarks): Part =>
  needsProof(part, marks) ? ({ ...part, signature: proofOf(marks) } as Part) : part

/** Anthropic verifies the sources of a text by `encrypted_index`, which no other vendor has. */
const markCitation = (citation: Citation, { mark, from }: AnswerMarks): Citation => {
  const { url, title, quote, raw } = citation
  if (from !== 'anthropic' || raw?.dialect === from || url === undefined) return citation
  const value = {
    type: 'web_search_result_location',
    cited_text: quote ?? '',
    url,
    title: title ?? url,
    encrypted_index: mark,
  }
  return { ...citation, raw: { dialect: from, value } }
}
