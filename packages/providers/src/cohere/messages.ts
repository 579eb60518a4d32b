import type {
  Json,
  MediaPart,
  Message,
  Part,
  ToolResultPart,
  WarningCollector,
} from '@hub/dialects'

/** https://docs.cohere.com/reference/chat#request.body.messages */
export const encodeMessages = (
  messages: readonly Message[],
  warnings: WarningCollector,
): readonly Json[] =>
  messages.flatMap(message => {
    if (message.name !== undefined) warnings.warnDropped('messages.name')
    warnings.warnForeignFields(message.unknownFields)
    const results = message.parts.filter(each => each.type === 'tool-result')
    const others = message.parts.filter(each => each.type !== 'tool-result')
    return [
      ...results.map(each => encodeResult(each, warnings)),
      ...(others.length > 0 ? encodeTurn(message.role, others, warnings) : []),
    ]
  })

const encodeResult = ({ id, parts }: ToolResultPart, warnings: WarningCollector): Json => ({
  role: 'tool',
  tool_call_id: id,
  content: textOf(parts, 'tool-result content', warnings),
})

const encodeTurn = (
  role: Message['role'],
  parts: readonly Part[],
  warnings: WarningCollector,
): Json[] => {
  if (role === 'assistant') return encodeAnswer(parts, warnings)
  if (role === 'user') return [{ role, content: encodeContent(parts, warnings) }]
  return [{ role: 'system', content: textOf(parts, 'system content', warnings) }]
}

/** A message with calls has a plan instead of a content. */
const encodeAnswer = (parts: readonly Part[], warnings: WarningCollector): Json[] => {
  const calls = parts.flatMap(each =>
    each.type === 'tool-call'
      ? [
          {
            id: each.id,
            type: 'function',
            function: { name: each.name, arguments: each.input || '{}' },
          },
        ]
      : [],
  )
  const others = parts.filter(each => each.type !== 'tool-call')
  if (calls.length === 0) {
    const content = encodeContent(others, warnings)
    return content.length > 0 ? [{ role: 'assistant', content }] : []
  }
  const plan = textOf(others, 'assistant content', warnings)
  return [{ role: 'assistant', tool_calls: calls, ...(plan === '' ? {} : { tool_plan: plan }) }]
}

const encodeContent = (parts: readonly Part[], warnings: WarningCollector): Json[] =>
  parts.flatMap((part): Json[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type === 'thinking' && part.text !== '' && !part.redacted)
      return [{ type: 'thinking', thinking: part.text }]
    if (part.type === 'media') {
      const url = imageUrl(part)
      if (url !== undefined)
        return [
          { type: 'image_url', image_url: { url, ...(part.detail && { detail: part.detail }) } },
        ]
    }
    warnings.warnDropped(part.type === 'media' ? `media ${part.mime}` : part.type)
    return []
  })

const imageUrl = ({ mime, url, base64 }: MediaPart): string | undefined => {
  if (!mime.startsWith('image/')) return undefined
  return url ?? (base64 === undefined ? undefined : `data:${mime};base64,${base64}`)
}

const textOf = (parts: readonly Part[], lost: string, warnings: WarningCollector): string => {
  const texts = parts.flatMap(each => (each.type === 'text' ? [each.text] : []))
  if (texts.length < parts.length) warnings.warnDropped(lost)
  return texts.join('\n')
}
