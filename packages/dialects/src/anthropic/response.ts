import type { ChatReply, Part, Reported } from '../canon.ts'
import type { Written } from '../dialect.ts'
import { ownFields, restOf } from '../extra.ts'
import type { Json } from '../json.ts'
import { noting } from '../notes.ts'
import { noUsage } from '../usage.ts'
import { decodeBlocks, encodeBlocks } from './content-blocks.ts'
import { finishOf, wordOf } from './finish.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

const own = 'anthropic'

export const replyKeys = new Set([
  ...['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage'],
])

// https://platform.claude.com/docs/en/api/messages/create
export const decodeReply = (input: unknown): ChatReply => {
  const body: Json = input ?? {}
  const { id, model, content, stop_reason, stop_sequence, usage } = body
  const choice: ChatReply['choices'][number] = { parts: decodeBlocks(content) }
  if (typeof stop_reason === 'string') choice.finish = finishOf(stop_reason, stop_sequence)
  const reply: ChatReply = { id: id ?? '', model: model ?? '', choices: [choice] }
  const tier = tierOf(usage)
  if (tier !== undefined) reply.tier = tier
  if (usage) reply.reported = reportedOf(usage)
  const extra = restOf(body, replyKeys, own)
  if (extra) reply.extra = extra
  return reply
}

export const reportedOf = (usage: Json): Reported => ({
  usage: decodeUsage(usage),
  extra: { dialect: own, fields: usage },
})

/** The tier stands among the figures; its plain one is what others call `default`. */
export const tierOf = (usage: Json): string | undefined => {
  const tier = usage?.service_tier
  return tier === 'standard' ? 'default' : typeof tier === 'string' ? tier : undefined
}

const tiers: Readonly<Record<string, string>> = {
  default: 'standard',
  priority: 'priority',
  batch: 'batch',
}

export const encodeReported = (reported: Reported | undefined, tier: string | undefined): Json => {
  const fields = ownFields(reported?.extra, own)
  if (fields) return fields
  const usage = typeof reported?.usage === 'object' ? reported.usage : noUsage()
  const told = tier === undefined ? undefined : tiers[tier]
  const written: Json = encodeUsage(usage)
  if (told !== undefined) written.service_tier = told
  return written
}

const isRefusal = (part: Part): boolean => part.type === 'text' && part.refusal === true

export const encodeReply = (reply: ChatReply): Written => {
  const noted = noting(own)
  const { id, model, choices, reported, tier, extra } = reply
  const [choice] = choices
  if (choices.length > 1) noted.drop('n')
  noted.dropForeign(extra)
  noted.dropForeign(choice?.extra)
  const parts = choice?.parts ?? []
  if (parts.some(part => part.type === 'text' && part.logprobs)) noted.drop('logprobs')
  const { finish } = choice ?? {}
  const body: Json = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: encodeBlocks(parts, 'reply', noted),
    stop_reason: finish ? wordOf(finish, parts.some(isRefusal)) : 'end_turn',
    stop_sequence: finish?.sequence ?? null,
    usage: encodeReported(reported, tier),
  }
  return { body: Object.assign(body, ownFields(extra, own)), notes: noted.notes }
}
