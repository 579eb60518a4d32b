import { contract, Fault, type Group } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as rows from '../../db/queries/groups.ts'
import { decimalText } from '../../lib/decimal.ts'

/** Belongs to every user who has no other: it is always there and always enabled. */
const defaultGroup = 'default'

const getGroup = async (db: Database, id: number) => {
  const group = await rows.find(db, id)
  if (!group) throw new Fault('resource.missing')
  return group
}

/** What a group costs and allows is kept in memory by those who need it for every call: they are told. */
const changeGroup = async (app: App, work: (tx: Database) => Promise<number>): Promise<Group> => {
  const id = await app.db.transaction().execute(async tx => {
    const id = await work(tx)
    await app.changes.notify(tx, 'groups')
    return id
  })
  return rows.asGroup(await getGroup(app.db, id))
}

export const groups = implement(contract.groups, {
  list: async (app, _caller, input) => {
    const page = await rows.list(app.db, input)
    return { ...page, data: page.data.map(rows.asGroup) }
  },
  get: async (app, _caller, { id }) => rows.asGroup(await getGroup(app.db, id)),
  create: (app, _caller, { symbol, name, ratio, api_rate, public: open, enable, ...limits }) =>
    changeGroup(app, async tx => {
      const id = await rows.insert(tx, {
        symbol,
        name,
        ratio: decimalText(ratio),
        api_rate,
        ...limits,
        public: Number(open),
        enable: Number(enable),
      })
      if (id === undefined) throw new Fault('resource.exists')
      return id
    }),
  update: (app, _caller, { id, name, ratio, api_rate, public: open, ...limits }) =>
    changeGroup(app, async tx => {
      const isThere = await rows.update(tx, id, {
        ...(name !== undefined && { name }),
        ...(ratio !== undefined && { ratio: decimalText(ratio) }),
        ...(api_rate !== undefined && { api_rate }),
        ...limits,
        ...(open !== undefined && { public: Number(open) }),
      })
      if (!isThere) throw new Fault('resource.missing')
      return id
    }),
  toggle: (app, _caller, { id }) =>
    changeGroup(app, async tx => {
      const { symbol } = await getGroup(tx, id)
      if (symbol === defaultGroup) throw new Fault('resource.built_in')
      await rows.toggle(tx, id)
      return id
    }),
  remove: async (app, _caller, { id }) => {
    await app.db.transaction().execute(async tx => {
      const { symbol } = await getGroup(tx, id)
      if (symbol === defaultGroup) throw new Fault('resource.built_in')
      if (await rows.isUsed(tx, symbol)) throw new Fault('resource.in_use')
      await rows.remove(tx, id)
      await app.changes.notify(tx, 'groups')
    })
    return null
  },
  symbols: async app => (await rows.listEnabled(app.db)).map(group => group.symbol),
  map: async (app, caller) => {
    const open = (await rows.listEnabled(app.db)).filter(
      group => group.public === 1 || group.symbol === caller?.group,
    )
    return Object.fromEntries(open.map(group => [group.symbol, rows.asGroup(group)]))
  },
})
