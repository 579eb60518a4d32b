import { referenceItems } from './table.ts'

/** Ids in an answer by which later requests may name a part of it. */
export type AnswerIds = {
  /** Items, which the vendor has where it stores the response. */
  items: string[]
  /** Containers, and items that came without their content, whether the response is stored or not. */
  others: string[]
}

export const noAnswerIds = (): AnswerIds => ({ items: [], others: [] })

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Adds the ids of an item of a Responses answer. */
export const addItemIds = (ids: AnswerIds, item: unknown): void => {
  if (!isObject(item)) return
  const { id, type, container_id, environment } = item
  const { content } = referenceItems.find(each => each.type === type) ?? {}
  if (typeof id === 'string') {
    const isBare = content !== undefined && typeof item[content] !== 'string'
    if (isBare) ids.others.push(id)
    else ids.items.push(id)
  }
  // A shell call has its container in `environment`: https://developers.openai.com/api/docs/guides/tools-shell
  const container = container_id ?? (isObject(environment) ? environment.container_id : undefined)
  if (typeof container === 'string' && !ids.others.includes(container)) ids.others.push(container)
}

/** The ids in the output of a Responses answer. */
export const outputIds = (output: unknown): AnswerIds => {
  const ids = noAnswerIds()
  if (Array.isArray(output)) for (const each of output) addItemIds(ids, each)
  return ids
}

const key = '"container"'
const objectStart = /^\s*:\s*\{/

/** Nearly always it is null. */
const mayHaveContainer = (bytes: Buffer, start: number, end: number): boolean => {
  for (let at = bytes.indexOf(key, start); at !== -1 && at < end; at = bytes.indexOf(key, at + 1)) {
    const valueStart = at + key.length
    if (objectStart.test(bytes.toString('latin1', valueStart, valueStart + 16))) return true
  }
  return false
}

/** The container in a Messages answer or event: https://docs.claude.com/en/docs/agents-and-tools/tool-use/code-execution-tool */
export const containerIn = (bytes: Buffer, start: number, end: number): string | undefined => {
  if (!mayHaveContainer(bytes, start, end)) return undefined
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
  const { container, message, delta } = value as Readonly<Record<string, Members | undefined>>
  const found = container ?? message?.container ?? delta?.container
  return isObject(found) && typeof found.id === 'string' ? found.id : undefined
}
