import { Fault, issuesOf, type ModelInfoList, NewModelInfo } from '@hub/contract'
import { z } from 'zod'

const Entries = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
])
const Entry = z.object({
  model: z.string().trim().min(1),
  model_info: z.record(z.string(), z.unknown()),
})

/**
 * Parses a list as One Hub publishes it: `{data: [{model, model_info}]}`, or the array alone. `skipped` reports invalid
 * entries and duplicates; the last entry of a model counts. Throws `price.list_unavailable` without any valid entry.
 */
export const parseModelInfoList = (text: string): ModelInfoList => {
  const entries = Entries.safeParse(parseJson(text))
  if (!entries.success) throw new Fault('price.list_unavailable')
  const infos = new Map<string, NewModelInfo>()
  const skipped: ModelInfoList['skipped'] = []
  for (const entry of entries.data) {
    const model = modelOf(entry)
    const info = parseInfo(entry)
    if (typeof info === 'string') skipped.push({ model, why: info })
    else {
      if (infos.delete(info.model)) skipped.push({ model, why: 'it stands twice' })
      infos.set(info.model, info)
    }
  }
  if (infos.size === 0)
    throw new Fault('price.list_unavailable', { hint: skipped[0]?.why ?? 'It is empty.' })
  return { infos: [...infos.values()], skipped }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('price.list_unavailable', { hint: 'It is not JSON.' })
  }
}

const modelOf = (entry: unknown): string =>
  z.object({ model: z.string() }).safeParse(entry).data?.model.slice(0, 200) ?? ''

/** Returns the description, or why it is invalid. An entry without a name is named like its model. */
const parseInfo = (entry: unknown): NewModelInfo | string => {
  const found = Entry.safeParse(entry)
  if (!found.success) return issuesOf(found.error)
  const { model, model_info } = found.data
  const fields = Object.entries(model_info)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => [key, listText(key, value)])
  const info = NewModelInfo.safeParse({ name: model, ...Object.fromEntries(fields), model })
  return info.success ? info.data : issuesOf(info.error)
}

const lists = ['input_modalities', 'output_modalities', 'tags', 'support_url']

/** Lists come as arrays, as the text of an array, or as one bare text. */
const listText = (key: string, value: unknown): unknown => {
  if (!lists.includes(key)) return value
  if (typeof value === 'string') return value.startsWith('[') ? value : JSON.stringify([value])
  return JSON.stringify(value)
}
