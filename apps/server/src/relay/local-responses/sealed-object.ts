import type { StoredObject } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { StoredResource } from '../../db/queries/stored-resources.ts'

const contextOf = (id: string) => `stored_resources.object_sealed:${id}`

export const sealObject = (app: App, object: StoredObject): string =>
  app.seal.seal('stored-object', contextOf(object.id), JSON.stringify(object))

export const openObject = (app: App, { id, object_sealed }: StoredResource): StoredObject =>
  JSON.parse(app.seal.open('stored-object', contextOf(id), object_sealed))

/** The storage of a prompt that is paid, as its record has it. */
export type PaidStorage = {
  tokens: number
  /** Seconds since 1970. */
  paidUntil: number
  /** The name by which its owner calls the model. */
  model: string
  billedModel: string
}
