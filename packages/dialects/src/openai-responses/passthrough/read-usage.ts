import { servedOf, type Usage } from '../../usage.ts'
import { addTools, decodeUsage } from '../usage.ts'

/** Decodes a JSON string in bytes that a scan has already validated. */
export const stringAt = (bytes: Buffer, start: number, end: number): string =>
  JSON.parse(bytes.toString('utf8', start, end))

/** Adds tool calls to the reported usage: by the upstream's own count if it sends one, else by the finished items. */
export const usageWithTools = (
  reportedUsage: Buffer,
  toolUsage: Buffer | undefined,
  toolCalls: ReadonlyMap<string, number>,
  tier: string | undefined,
): Usage | 'broken' => {
  const usage = decodeUsage(JSON.parse(reportedUsage.toString()))
  if (usage === 'broken') return usage
  const searches = toolUsage ? JSON.parse(toolUsage.toString()).web_search?.num_requests : undefined
  addTools(usage, toolCalls, searches)
  const served = servedOf({ tier })
  if (served) usage.served = served
  return usage
}
