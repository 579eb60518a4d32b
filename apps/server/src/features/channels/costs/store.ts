import { type CostList, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import { type App, nowSeconds } from '../../../core/app.ts'
import type { Database } from '../../../db/index.ts'
import * as rows from '../../../db/queries/costs.ts'
import { forgetGroups } from '../../../db/queries/upstream-ratios.ts'

/** Throws where a list has a base that the channel type lacks. */
export const requireCostBase = (field: string, type: number, list: CostList | null): void => {
  if (list?.base !== 'upstream' || providerOf(type)?.groupRatios) return
  const hint = `\`${field}\`: this channel type is no gateway with a price list of its own.`
  throw new Fault('request.invalid', { hint })
}

type NewList = { channelId: number; list: CostList | null; userId: number }

/** Puts a list in force on every node, in the transaction of the caller. */
export const storeCosts = async (
  app: App,
  tx: Database,
  { channelId, list, userId }: NewList,
): Promise<void> => {
  const body = list && JSON.stringify(list)
  await rows.addList(tx, { channelId, body, at: nowSeconds(app), userId })
  await app.changes.notify(tx, 'costs')
}

/** The lists of channels, as the audit log compares them. */
export const listCosts = async (db: Database, ids: readonly number[]) =>
  Object.fromEntries(
    await Promise.all(
      ids.map(async id => [`${id} costs`, (await storedCosts(db, id)) ?? {}] as const),
    ),
  )

/** The list of a channel as it is stored. Undefined: nobody wrote one. */
export const storedCosts = async (db: Database, id: number): Promise<CostList | undefined> => {
  const [last] = await rows.listOfChannel(db, id, 1)
  return last?.body ? (JSON.parse(last.body) as CostList) : undefined
}

/** Copies the list that is in force, if there is one. */
export const copyCosts = async (
  app: App,
  tx: Database,
  { from, to, userId }: { from: number; to: number; userId: number },
): Promise<void> => {
  const list = await storedCosts(tx, from)
  if (list) await storeCosts(app, tx, { channelId: to, list, userId })
}

type UpstreamFields = { type: number; base_url: string; plugin?: unknown }
type UpstreamChange = { [K in keyof UpstreamFields]?: UpstreamFields[K] | undefined }

/** A cost depends on the group at the upstream, and on who that is: another upstream has other prices. */
export const followUpstream = async (
  app: App,
  tx: Database,
  before: Pick<UpstreamFields, 'type' | 'base_url'> & { id: number },
  { type = before.type, base_url = before.base_url, plugin }: UpstreamChange,
): Promise<void> => {
  const isOther = type !== before.type || base_url !== before.base_url
  if (isOther) await forgetGroups(tx, before.id)
  if (isOther || plugin !== undefined) await app.changes.notify(tx, 'costs')
}
