import { Fault } from '@hub/contract'
import {
  type FormatId,
  fileIdsIn,
  isVendorSkill,
  mayHaveReferences,
  type ReferenceField,
  type ReferenceOwner,
  referenceFields,
  referenceItems,
  resourceNames,
} from '@hub/dialects'
import { isApiHost } from '@hub/providers'
import { hostOf, objectAt } from './check-links.ts'
import { isLinkField, type JsonFields, taskScope, textsIn, visitFields } from './find-links.ts'
import { scanKeys } from './scan-keys.ts'

/** Something at the vendor's account that a request names. */
export type Reference = {
  id: string
  field: string
  owner: ReferenceOwner
  /** Only a vendor that stores responses looks the id up. Others read the rest of the item. */
  isItem?: true
}

type Scope = {
  format: FormatId
  /** The body has a string in a place where a vendor may read a link. */
  hasAddresses?: boolean | undefined
}

/** The format of objects that have items of conversations. Other objects have none of its fields. */
export const itemFormat = 'openai-responses'

/** The ids of references, each once. */
export const idsOf = (references: readonly Reference[]): string[] => [
  ...new Set(references.map(each => each.id)),
]

/**
 * Lists what a JSON body names at the account of a vendor, as often as it names it, because a vendor reads each. Throws
 * `request.ambiguous` where a name appears twice in one object, because the vendor could read the other value.
 */
export const listReferences = (body: Buffer, { format, hasAddresses }: Scope): Reference[] => {
  if (hasAddresses !== true && !mayHaveReferences(body, format)) return []
  const found: Reference[] = []
  const count = collect(parse(body), format, found)
  if (count !== scanKeys(body).count)
    throw new Fault('request.ambiguous', { hint: 'An object that names files has a field twice.' })
  return found
}

/** As `listReferences`, for a task. */
export const listTaskReferences = (request: unknown): Reference[] => {
  const found: Reference[] = []
  collect(request, 'vendor', found, taskScope)
  return found
}

const byName: ReadonlyMap<string, ReferenceField> = new Map(
  referenceFields.flatMap(field => field.names.map(name => [name, field] as const)),
)

/** Returns the number of all keys. */
const collect = (
  request: unknown,
  format: FormatId,
  found: Reference[],
  scope?: typeof taskScope,
): number => {
  const resourceName = resourceNames[format]
  return visitFields(
    request,
    (name, value, isPast, object) => {
      const field = byName.get(name)
      if (isPast && (!field?.inPast || object.type === 'container_file_citation')) return
      if (field && (!field.formats || field.formats.includes(format))) {
        if (name === 'skill_id' && isVendorSkill(object)) return
        for (const id of idsIn(value, field)) found.push({ id, field: name, owner: field.owner })
      } else if (format === 'openai-chat' && (name === 'content' || name === 'text'))
        for (const id of textsIn(value).flatMap(fileIdsIn))
          found.push({ id, field: name, owner: 'object' })
      else if (name === 'id' && format === 'openai-responses') found.push(...itemIn(object))
      else if (isLinkField(name))
        for (const id of textsIn(value).flatMap(fileIdIn))
          found.push({ id, field: name, owner: 'object' })
      else if (resourceName && name !== 'text')
        for (const id of textsIn(value))
          if (resourceName.test(id)) found.push({ id, field: name, owner: 'operator' })
    },
    scope,
  )
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw new Fault('request.unreadable', { cause })
  }
}

const idsIn = (value: unknown, { shape }: ReferenceField): string[] => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject) return shape === 'ids' ? [] : textsIn((value as JsonFields).id)
  return shape === 'object' ? [] : plainIdsIn(value)
}

const plainIdsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(plainIdsIn)
  if (typeof value !== 'string' || value === '') return []
  const address = /^https?:/i.test(value) ? URL.parse(value) : null
  if (!address) return /^(https?|gs|s3|data):/i.test(value) ? [] : [value]
  // Any other address is fetched from where everybody may read it.
  if (!isApiHost(hostOf(address))) return []
  // An address of the vendor in any other form names nothing that the caller could own.
  return [objectAt(address) ?? value]
}

/** The stored item that an item of a Responses request stands for. The type of a mere reference may be left out. */
const itemIn = (object: JsonFields): Reference[] => {
  const { id, type } = object
  const isBare = (type ?? null) === null && Object.keys(object).every(isReferenceKey)
  const item = referenceItems.find(each => each.type === (isBare ? 'item_reference' : type))
  if (typeof id !== 'string' || !item) return []
  const { content, prefix = '' } = item
  if (!id.startsWith(prefix) || (content !== undefined && isFilled(object[content]))) return []
  const reference = { id, field: item.type, owner: 'answer' } as const
  return [content === undefined ? reference : { ...reference, isItem: true }]
}

const isReferenceKey = (name: string): boolean => name === 'id' || name === 'type'

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** The file that a link of another dialect names. Whatever else it names is checked when it leaves. */
const fileIdIn = (text: string): string[] => {
  if (/^files\/[\w-]+$/.test(text)) return [text]
  const address = /^https?:/i.test(text) ? URL.parse(text) : null
  const id = address && isApiHost(hostOf(address)) ? objectAt(address) : undefined
  return id === undefined ? [] : [id]
}
