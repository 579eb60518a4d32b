import { Fault } from '@hub/contract'
import { compactionTrigger, type ResponseItem } from '@hub/dialects'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import { readBody } from '../../relay/request/body.ts'

/** Limits of https://developers.openai.com/api/reference/resources/conversations */
const pairsMax = 16
const itemsMax = 20

const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine(pairs => Object.keys(pairs).length <= pairsMax, `at most ${pairsMax} pairs`)
  .nullish()
  .transform(pairs => pairs ?? {})
const items = z
  .array(z.record(z.string(), z.unknown()))
  .max(itemsMax)
  .nullish()
  .transform(list => list ?? [])
const schemas = { metadata, items }

type ConversationFields = { metadata?: Record<string, string>; items?: ResponseItem[] }

/** Reads these fields of a JSON body, and refuses others. An empty body has none. */
export const readFields = async (
  app: App,
  context: AuthenticatedContext,
  names: readonly (keyof typeof schemas)[],
): Promise<ConversationFields> => {
  const body = await readBody(app, context)
  const value = body.length === 0 ? {} : parse(body)
  const unknown = Object.keys(value).find(each => !(names as readonly string[]).includes(each))
  if (unknown !== undefined)
    throw invalid(`'${unknown.slice(0, 100)}' is not supported here. Known: ${names.join(', ')}.`)
  const fields: ConversationFields = {}
  for (const name of names) {
    if (value[name] === undefined) continue
    const read = schemas[name].safeParse(value[name])
    if (!read.success) throw invalid(`'${name}': ${read.error.issues[0]?.message}.`)
    Object.assign(fields, { [name]: read.data })
  }
  for (const item of fields.items ?? []) checkItem(item)
  return fields
}

const checkItem = ({ type, role }: ResponseItem): void => {
  if (type === 'item_reference')
    throw invalid("An 'item_reference' cannot be stored; send the item itself.")
  if (type === compactionTrigger)
    throw invalid(
      `A '${compactionTrigger}' cannot be stored; send it as the last item of a call that names the conversation.`,
    )
  if (typeof type !== 'string' && typeof role !== 'string')
    throw invalid("Each of 'items' needs a 'type', or a 'role' and a 'content'.")
}

const parse = (body: Buffer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Refused below.
  }
  throw invalid('The body must be a JSON object.')
}

const invalid = (hint: string) => new Fault('request.invalid', { hint })
