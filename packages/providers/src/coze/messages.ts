import type { Json, MediaPart, Message, Part, WarningCollector } from '@hub/dialects'

type EncodedMessages = { list: Json[]; refusal?: string }

/**
 * Roles are `user` and `assistant` only, so instructions become messages of the user.
 * https://docs.coze.cn/developer_guides/chat_v3#EnterMessage
 */
export const encodeMessages = (
  messages: readonly Message[],
  warnings: WarningCollector,
): EncodedMessages => {
  const list: Json[] = []
  for (const { role, name, parts: given, unknownFields } of messages) {
    if (name !== undefined) warnings.warnDropped('messages.name')
    if (role === 'system' || role === 'developer') warnings.warnDropped('messages.system (role)')
    warnings.warnForeignFields(unknownFields)
    const parts = given.filter(part => part.type !== 'thinking')
    const refusal = parts.map(refusalOf).find(Boolean)
    if (refusal !== undefined) return { list, refusal }
    if (parts.length === 0) continue
    list.push(
      role === 'assistant'
        ? { role, type: 'answer', ...contentOf(parts) }
        : { role: 'user', ...contentOf(parts) },
    )
  }
  return { list }
}

/** Only texts and addresses of files can be sent. */
const refusalOf = (part: Part): string | undefined => {
  if (part.type === 'text') return undefined
  if (part.type === 'media')
    return part.url === undefined || part.url.startsWith('data:')
      ? "'messages' must name images and files by a public URL for this model; it takes no embedded data."
      : undefined
  return "'messages' must not contain tool calls and their results for this model: a bot calls its own tools only."
}

const contentOf = (parts: readonly Part[]): Json => {
  if (parts.every(part => part.type === 'text'))
    return { content: parts.map(part => part.text).join('\n'), content_type: 'text' }
  const objects = parts.flatMap((part): Json[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    return part.type === 'media' ? [{ type: kindOf(part), file_url: part.url }] : []
  })
  return { content: JSON.stringify(objects), content_type: 'object_string' }
}

const kindOf = ({ mime }: MediaPart): string => /^(image|audio)\//.exec(mime)?.[1] ?? 'file'
