import type { ChatRequest, Message, Part } from '../canon.ts'
import type { RulesOfModel } from './rule.ts'
import { thinks } from './thinking.ts'

/** Names what is left out of a request as empty. */
export const emptyNote = 'messages (empty)'

export type MessageChange = { messages: Message[]; notes: string[]; refused?: 'prefill' }

/** Bends the order and the content of messages to the model's rules. */
export const changeMessages = (request: ChatRequest, rules: RulesOfModel): MessageChange => {
  const notes: string[] = []
  let { messages } = request
  const note = (changed: Message[], name: string): void => {
    if (changed === messages) return
    messages = changed
    notes.push(name)
  }
  if (rules['instructions-first']) note(withInstructionsFirst(messages), 'messages.system (order)')
  const empty = rules['empty-messages']
  if (empty) note(withoutEmpty(messages, empty), emptyNote)
  if (rules['assistant-after-tool']) note(withAssistantAfterTool(messages), 'messages.tool (order)')
  if (rules['reasoning-content'] && thinks(request, rules))
    note(withReasoning(messages), 'reasoning_content (missing)')
  const { prefill } = rules
  if (prefill && endsWithModel(messages)) {
    if (prefill.as === 'refused') return { messages, notes, refused: 'prefill' }
    const fields = { prefix: true }
    messages = messages.with(-1, {
      ...messages.at(-1)!,
      unknownFields: { dialect: 'openai-chat', fields },
    })
  }
  return { messages, notes }
}

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer'

/** Later instructions keep their place: the next prompt of a conversation then begins like this one. */
const withInstructionsFirst = (messages: Message[]): Message[] => {
  const [first, ...rest] = messages
  if (!first || !rest.some(isInstruction)) return messages
  const start = messages.findIndex(each => !isInstruction(each))
  const leading = start < 0 ? messages : messages.slice(0, start)
  const later = messages
    .slice(leading.length)
    .map((each): Message => (isInstruction(each) ? { ...each, role: 'user' } : each))
  return leading.length === 0 ? later : [{ ...first, parts: joined(leading) }, ...later]
}

/** A chat template writes the parts of a message without anything between them. */
const joined = (messages: readonly Message[]): Part[] =>
  messages.flatMap(({ parts }, at): Part[] =>
    at === 0 ? parts : [{ type: 'text', text: '\n\n' }, ...parts],
  )

const isBlank = (part: Part): boolean =>
  part.type === 'thinking' || (part.type === 'text' && part.text.trim() === '')

const isEmpty = ({ role, parts }: Message): boolean => role === 'assistant' && parts.every(isBlank)

const withoutEmpty = (
  messages: Message[],
  { of, acceptsThoughts }: NonNullable<RulesOfModel['empty-messages']>,
): Message[] => {
  const saysThoughts = ({ parts }: Message): boolean =>
    acceptsThoughts === true && parts.some(each => each.type === 'thinking')
  const isLeftOut = (each: Message): boolean =>
    (of === 'everybody' ? each.parts.every(isBlank) : isEmpty(each)) && !saysThoughts(each)
  return messages.some(isLeftOut) ? messages.filter(each => !isLeftOut(each)) : messages
}

const endsWithModel = (messages: readonly Message[]): boolean => {
  const last = messages.at(-1)
  return last?.role === 'assistant' && !isEmpty(last)
}

const isResult = ({ type }: Part): boolean => type === 'tool-result'
const isCall = ({ type }: Part): boolean => type === 'tool-call'
const isShown = (part: Part): boolean => part.type === 'media' && part.text === undefined

/** The words of the turn that the vendor wants between a result and the user. */
export const bridgeText = 'Understood.'
const bridge: Message = { role: 'assistant', parts: [{ type: 'text', text: bridgeText }] }

const withAssistantAfterTool = (messages: Message[]): Message[] => {
  const ordered: Message[] = []
  let hasChanged = false
  for (const message of messages) {
    const results = message.parts.filter(isResult)
    const previous = ordered.at(-1)
    if (results.length === 0) {
      if (previous?.role === 'tool' && message.role !== 'assistant') {
        ordered.push(bridge)
        hasChanged = true
      }
      ordered.push(message)
      continue
    }
    // The chat format shows what a tool returned beside text in a message of the user.
    const rest = [...message.parts.filter(each => !isResult(each)), ...mediaIn(results)]
    ordered.push({ role: 'tool', parts: results.map(withoutMedia) })
    if (rest.length === 0) continue
    ordered.push(bridge, { role: 'user', parts: rest })
    hasChanged = true
  }
  return hasChanged ? ordered : messages
}

const mediaIn = (results: readonly Part[]): Part[] =>
  results.flatMap(each => (each.type === 'tool-result' ? each.parts.filter(isShown) : []))

const withoutMedia = (part: Part): Part =>
  part.type === 'tool-result' && part.parts.some(isShown)
    ? { ...part, parts: part.parts.filter(each => !isShown(each)) }
    : part

/** Vendors check that the thoughts are there. A blank changes the prompt least. */
const missingThought: Part = { type: 'thinking', text: ' ' }

const isWithoutReasoning = ({ role, parts }: Message): boolean =>
  role === 'assistant' &&
  parts.some(isCall) &&
  !parts.some(each => each.type === 'thinking' && each.text !== '')

const withReasoning = (messages: Message[]): Message[] =>
  messages.some(isWithoutReasoning)
    ? messages.map(each =>
        isWithoutReasoning(each) ? { ...each, parts: [missingThought, ...each.parts] } : each,
      )
    : messages
