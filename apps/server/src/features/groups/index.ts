import { contract, Fault, type Group } from '@hub/contract'
import { requireLowRatios } from '../../core/accounts/low-ratios.ts'
import type { App } from '../../core/app.ts'
import { changeAndNotify, definedOnly, mapPage, required, requireMatch } from '../../core/crud.ts'
import { implement, type SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as rows from '../../db/queries/groups.ts'
import { formatNumber } from '../../lib/decimal.ts'

/** The group of every user who has no other. It cannot be disabled or deleted. */
const defaultGroup = 'default'

const getGroup = async (db: Database, id: number) => required(await rows.find(db, id))

/** The built-in group can be changed, but not disabled or deleted. */
const getCustomGroup = async (db: Database, id: number) => {
  const group = await getGroup(db, id)
  if (group.symbol === defaultGroup) throw new Fault('resource.built_in')
  return group
}

/** Runs a write that returns the id of a group, and returns that group. Caches of groups are notified. */
const changeGroup = async (
  app: App,
  caller: SignedInUser,
  write: (tx: Database) => Promise<number>,
): Promise<Group> => {
  const id = await changeAndNotify(app, 'groups', async tx => {
    const before = await rows.listAll(tx)
    const id = await write(tx)
    requireLowRatios(app, caller, before, await rows.listAll(tx))
    return id
  })
  return rows.asGroup(await getGroup(app.db, id))
}

/** An empty range would promote nobody. */
const requireRange = ({ min, max }: { min: number; max: number }) => {
  if (max !== 0 && max <= min)
    throw new Fault('request.invalid', { hint: '`max`: must be 0 or more than `min`.' })
}

export const groups = implement(contract.groups, {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), rows.asGroup),
  get: async (app, _caller, { id }) => rows.asGroup(await getGroup(app.db, id)),
  create: (app, caller, { ratio, public: isPublic, enable, promotion, ...fields }) =>
    changeGroup(app, caller, async tx => {
      requireRange(fields)
      const flags = {
        public: Number(isPublic),
        enable: Number(enable),
        promotion: Number(promotion),
      }
      const id = await rows.insert(tx, { ...fields, ...flags, ratio: formatNumber(ratio) })
      if (id === undefined) throw new Fault('resource.exists')
      return id
    }),
  update: (app, caller, { id, ratio, public: isPublic, promotion, ...fields }) =>
    changeGroup(app, caller, async tx => {
      requireRange({ ...rows.asGroup(await getGroup(tx, id)), ...definedOnly(fields) })
      const change = definedOnly({
        ...fields,
        ratio: ratio === undefined ? undefined : formatNumber(ratio),
        public: isPublic === undefined ? undefined : Number(isPublic),
        promotion: promotion === undefined ? undefined : Number(promotion),
      })
      await requireMatch(rows.update(tx, id, change))
      return id
    }),
  toggle: (app, caller, { id }) =>
    changeGroup(app, caller, async tx => {
      await getCustomGroup(tx, id)
      await rows.toggle(tx, id)
      return id
    }),
  remove: (app, _caller, { id }) =>
    changeAndNotify(app, 'groups', async tx => {
      const { symbol } = await getCustomGroup(tx, id)
      if (await rows.isUsed(tx, symbol)) throw new Fault('resource.in_use')
      await rows.remove(tx, id)
      return null
    }),
  symbols: async app => (await rows.listEnabled(app.db)).map(group => group.symbol),
  map: async (app, caller) => {
    const usable = (await rows.listEnabled(app.db)).filter(
      group => group.public === 1 || group.symbol === caller?.group,
    )
    return Object.fromEntries(usable.map(group => [group.symbol, rows.asGroup(group)]))
  },
})
