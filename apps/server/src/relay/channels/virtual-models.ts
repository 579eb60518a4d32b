import { VirtualCandidate } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { cachedQuery } from '../../core/app-scoped.ts'
import { listEnabled, type VirtualModelRow } from '../../db/queries/virtual-models.ts'

/** A virtual model as the relay uses it, decoded once after each change. */
export type DecodedVirtualModel = {
  name: string
  version: number
  /** The user groups that may call it. */
  groups: ReadonlySet<string>
  candidates: readonly VirtualCandidate[]
}

/** The enabled virtual models by name. */
export const virtualModelIndex = cachedQuery(['virtual-models'], async app => {
  const decoded = (await listEnabled(app.callDb)).map(row => decode(app, row))
  return new Map(decoded.filter(each => each !== undefined).map(each => [each.name, each]))
})

/** Undefined until the first read is done, which the start of the server waits for. */
export const findVirtualModel = (app: App, name: string): DecodedVirtualModel | undefined => {
  const index = virtualModelIndex(app).get()
  return index instanceof Promise ? undefined : index.get(name)
}

const decode = (app: App, row: VirtualModelRow): DecodedVirtualModel | undefined => {
  try {
    const candidates = VirtualCandidate.array().parse(JSON.parse(row.candidates))
    const groups = new Set(JSON.parse(row.groups) as string[])
    return { name: row.name, version: row.version, groups, candidates }
  } catch (error) {
    app.log.error({ virtualModel: row.name, err: error }, 'this virtual model cannot be read')
    return undefined
  }
}
