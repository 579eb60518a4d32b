import type { TestApp, TestResponse, TestUser } from '../../apps/server/test/harness.ts'

export type Call = readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object]

/** The user who calls, with the people of each rank around them. */
export type World = {
  hub: TestApp
  caller: Pick<TestUser, 'id' | 'username'> & { role: number }
  user: TestUser
  peer: TestUser
  superior: { id: number; username: string }
}

let made = 0
const fresh = (prefix: string): string => {
  made += 1
  return `${prefix}${made}`
}

/** The data of a call of root that prepares a case. */
const must = async <T = { id: number }>(response: Promise<TestResponse>): Promise<T> => {
  const { status, text, body } = await response
  if (status !== 200) throw new Error(`not prepared: ${text}`)
  return body.data
}

const gateway = () => ({
  ...{ type: 'epay', name: fresh('pay'), icon: '', currency: 'CNY' },
  config: { pay_domain: 'https://pay.example', partner_id: '7', key: 'the-secret-key' },
})
const makeGateway = ({ hub }: World) =>
  must<{ id: number; uuid: string }>(hub.root.post('/api/payment/', gateway()))

const idOf = ({ caller, user, peer, superior }: World, what: string): number => {
  if (what.endsWith('the caller')) return caller.id
  if (what.endsWith('a peer')) return peer.id
  return what.endsWith('a superior') ? superior.id : user.id
}

/** An unpaid order of the user, as the vendor's page would have been opened for it. */
const makeOrder = async (world: World, userId: number): Promise<number> => {
  const { uuid } = await makeGateway(world)
  const { db } = world.hub.app
  // Each buyer may make only few orders within an hour.
  const buyer = await world.hub.person()
  const placed = await must<{ trade_no: string }>(
    buyer.post('/api/user/order', { uuid, amount: 1 }),
  )
  const { id } = await db
    .selectFrom('orders')
    .select('id')
    .where('trade_no', '=', placed.trade_no)
    .executeTakeFirstOrThrow()
  await db.updateTable('orders').set({ user_id: userId }).where('id', '=', id).execute()
  return id
}

const makeGroup = ({ hub }: World, ratio: number, more: object = {}) =>
  must<{ id: number; symbol: string }>(
    hub.root.post('/api/user_group/', { symbol: fresh('g'), name: 'group', ratio, ...more }),
  )

const price = (model: string, input: number, more: object = {}) => ({
  ...{ model, type: 'tokens', channel_type: 0, input, output: input, ...more },
})
const makePrice = async ({ hub }: World, input: number, model = fresh('model')) => {
  await must(hub.root.post('/api/prices/single', price(model, input)))
  return model
}
/** A model whose price would be free without its own row. */
const makeAboveFreePrefix = async (world: World): Promise<string> => {
  const prefix = fresh('family')
  await makePrice(world, 0, `${prefix}-*`)
  return makePrice(world, 1, `${prefix}-large`)
}

const makeCode = async ({ hub }: World, makerId?: number) => {
  const name = fresh('code')
  const [key] = await must<string[]>(hub.root.post('/api/redemption/', { name, quota: 100 }))
  const { id } = await hub.app.db
    .selectFrom('redemptions')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (makerId !== undefined)
    await hub.app.db
      .updateTable('redemptions')
      .set({ user_id: makerId })
      .where('id', '=', id)
      .execute()
  return { id, key: key! }
}

const candidate = (group: string) => ({ model: 'any-model', group })
const makeVirtual = ({ hub }: World, group: string) =>
  must(hub.root.post('/api/virtual_model/', { name: fresh('v'), candidates: [candidate(group)] }))

const newUser = (more: object) => ({
  ...{ username: fresh('person'), password: 'a-long-password-8', ...more },
})
const channel = (prices: object[]) => ({
  ...{ type: 1, name: fresh('channel'), key: fresh('sk-vendor-key-'), models: 'a', prices },
})

type Prepare = (world: World, what: string) => Promise<Call> | Call

const credit = async (world: World, what: string): Promise<Call> => {
  const id = await makeOrder(world, idOf(world, what))
  return ['POST', `/api/payment/order/${id}/credit`, { remark: 'seen' }]
}
const refund = async (world: World, what: string): Promise<Call> => {
  const id = await makeOrder(world, idOf(world, what))
  await must(world.hub.root.post(`/api/payment/order/${id}/credit`, { remark: 'seen' }))
  return ['POST', `/api/payment/order/${id}/refund`, { number: fresh('refund-no'), amount: 0.01 }]
}
const editGroup =
  (ratio: number, change: object, more: object = {}): Prepare =>
  async world => {
    const { id } = await makeGroup(world, ratio, more)
    return ['PUT', '/api/user_group/', { id, ...change }]
  }
const newPrice =
  (input: number, more: object = {}): Prepare =>
  () => ['POST', '/api/prices/single', price(fresh('model'), input, more)]
const option =
  (value: (world: World) => Promise<string> | string): Prepare =>
  async (world, key) => ['PUT', '/api/option/', { key, value: await value(world) }]

/** An invitation whose reward waits, from the user whom the case names. */
const decideInvitation =
  (decision: 'give' | 'withhold'): Prepare =>
  async (world, what) => {
    const { db } = world.hub.app
    const inviter_id = idOf(world, what)
    const { id } = await world.hub.person()
    await db.updateTable('users').set({ inviter_id }).where('id', '=', id).execute()
    await db
      .insertInto('invitations')
      .values({
        ...{ user_id: id, inviter_id, address: '', created_at: 1, state: 'waiting', reason: '' },
        ...{ gift: 0, gift_given: 0, reward: 5, reward_given: 0, moves: 0, decided_by: '' },
      })
      .execute()
    return ['POST', `/api/invitation/${id}/${decision}`, { remark: 'seen' }]
  }

/** Makes the rows that a case needs, and returns its call. By endpoint, and by what it does where that matters. */
export const prepare: Readonly<Record<string, Prepare>> = {
  'POST /api/payment/': () => ['POST', '/api/payment/', gateway()],
  'the keys of a gateway': async world => {
    const { id } = await makeGateway(world)
    return ['PUT', '/api/payment/', { id, config: { key: 'another-key' } }]
  },
  'the name of a gateway': async world => {
    const { id } = await makeGateway(world)
    return ['PUT', '/api/payment/', { id, name: 'another' }]
  },
  'DELETE /api/payment/:id': async world => [
    'DELETE',
    `/api/payment/${(await makeGateway(world)).id}`,
  ],
  'POST /api/payment/order/:id/credit': credit,
  'POST /api/payment/order/:id/refund': refund,
  'POST /api/user/quota/:id': (world, what) => [
    'POST',
    `/api/user/quota/${idOf(world, what)}`,
    { quota: 5, remark: 'gift' },
  ],
  'POST /api/invitation/:id/give': decideInvitation('give'),
  'POST /api/invitation/:id/withhold': decideInvitation('withhold'),
  'a new user with points': () => ['POST', '/api/user/', newUser({ quota: 5 })],
  'a new user without points': () => ['POST', '/api/user/', newUser({})],
  'a new administrator': () => ['POST', '/api/user/', newUser({ role: 10 })],
  'PUT /api/user/': async (world, what) => {
    if (what.includes('role')) {
      const { id } = await world.hub.person()
      return ['PUT', '/api/user/', { id, role: 10 }]
    }
    const { symbol } = await makeGroup(world, 1)
    return ['PUT', '/api/user/', { id: idOf(world, what), group: symbol }]
  },
  'promotes a user': async ({ hub }) => {
    const { username } = await hub.person()
    return ['POST', '/api/user/manage', { username, action: 'promote' }]
  },
  'POST /api/user/manage': ({ peer, user }, what) => [
    'POST',
    '/api/user/manage',
    { username: what.endsWith('peer') ? peer.username : user.username, action: 'enable' },
  ],
  'POST /api/redemption/': () => ['POST', '/api/redemption/', { name: fresh('code'), quota: 9 }],
  'PUT /api/redemption/': async (world, what) => {
    const { id } = await makeCode(world, what.endsWith('caller') ? world.caller.id : undefined)
    const change = what.startsWith('the name') ? { name: 'another' } : { quota: 1000 }
    return ['PUT', '/api/redemption/', { id, ...change }]
  },
  'POST /api/user/topup': async (world, what) => {
    const maker = { caller: world.caller.id, administrator: world.peer.id }
    const name = what.endsWith('the caller') ? 'caller' : 'administrator'
    const makerId = what.includes('super') ? undefined : maker[name]
    return ['POST', '/api/user/topup', { key: (await makeCode(world, makerId)).key }]
  },
  'DELETE /api/log/': () => ['DELETE', '/api/log/?target_timestamp=5'],
  'a group of ratio 0.05': () => [
    'POST',
    '/api/user_group/',
    { symbol: fresh('g'), name: 'low', ratio: 0.05 },
  ],
  'a group of ratio 0.1': () => [
    'POST',
    '/api/user_group/',
    { symbol: fresh('g'), name: 'low', ratio: 0.1 },
  ],
  'ratio 0.05 for a group of ratio 1': editGroup(1, { ratio: 0.05 }),
  'ratio 0 for a group of ratio 0.05': editGroup(0.05, { ratio: 0 }),
  'opens a group of ratio 0.05 to everybody': editGroup(0.05, { public: true }),
  'promotes to a group of ratio 0.05': editGroup(0.05, { promotion: true, min: 1_000_000 }),
  'promotes more users to a group of ratio 0.05': editGroup(
    0.05,
    { min: 1_000_000 },
    { promotion: true, min: 2_000_000 },
  ),
  'the name of a group of ratio 0.05': editGroup(0.05, { name: 'another', ratio: 0.05 }),
  'PUT /api/user_group/enable/:id': async world => {
    const { id } = await makeGroup(world, 0.05, { enable: false })
    return ['PUT', `/api/user_group/enable/${id}`]
  },
  'POST /api/virtual_model/': async world => {
    const { symbol } = await makeGroup(world, 0.05)
    const body = { name: fresh('v'), candidates: [candidate(symbol)] }
    return ['POST', '/api/virtual_model/', body]
  },
  'PUT /api/virtual_model/': async world => {
    const { symbol } = await makeGroup(world, 0.05)
    const { id } = await makeVirtual(world, '')
    return ['PUT', '/api/virtual_model/', { id, candidates: [candidate(symbol)] }]
  },
  'POST /api/virtual_model/:id/restore': async world => {
    const { symbol } = await makeGroup(world, 0.05)
    const { id } = await makeVirtual(world, symbol)
    const change = { id, candidates: [candidate('')] }
    await must(world.hub.root.put('/api/virtual_model/', change))
    return ['POST', `/api/virtual_model/${id}/restore`, { version: 1 }]
  },
  'POST /api/prices/single a free price': newPrice(0),
  'a price that is free above a token': newPrice(1, {
    tiers: [{ above: 1, input: 0, output: 0 }],
  }),
  'a price of 0 whose tools cost': newPrice(0, { tool_prices: { web_search: 0.01 } }),
  'a price that is as good as free': newPrice(1e-9),
  'a price': newPrice(1),
  'PUT /api/prices/single/*name a free price': async world => {
    const model = await makePrice(world, 1)
    return ['PUT', `/api/prices/single/${model}`, price(model, 0)]
  },
  'the lock of a free price': async world => {
    const model = await makePrice(world, 0)
    return ['PUT', `/api/prices/single/${model}`, price(model, 0, { locked: true })]
  },
  'DELETE /api/prices/single/*name': async world => [
    'DELETE',
    `/api/prices/single/${await makeAboveFreePrefix(world)}`,
  ],
  'POST /api/prices/multiple': () => {
    const model = fresh('model')
    return ['POST', '/api/prices/multiple', { models: [model], price: price(model, 0) }]
  },
  'PUT /api/prices/multiple/delete': async world => [
    'PUT',
    '/api/prices/multiple/delete',
    { models: [await makeAboveFreePrefix(world)] },
  ],
  'POST /api/prices/sync': () => [
    'POST',
    '/api/prices/sync?updateMode=add',
    { prices: [price(fresh('model'), 0)] },
  ],
  'back to a free price': async world => {
    const model = await makePrice(world, 0)
    const change = { original_models: [model], models: [model], price: price(model, 1) }
    await must(world.hub.root.post('/api/prices/multiple', change))
    return ['POST', '/api/prices/undo']
  },
  'POST /api/prices/schedule': ({ hub }) => {
    const model = fresh('model')
    const at = Math.floor(hub.clock.now / 1000) + 86_400
    return ['POST', '/api/prices/schedule', { models: [model], price: price(model, 0), at }]
  },
  'POST /api/channel/': () => ['POST', '/api/channel/', channel([price(fresh('model'), 0)])],
  'PUT /api/channel/': async ({ hub }) => {
    const [made] = await must<{ id: number }[]>(hub.root.post('/api/channel/', channel([])))
    return ['PUT', '/api/channel/', { id: made!.id, prices: [price(fresh('model'), 0)] }]
  },
  GroupRatio: option(async world => {
    const { symbol } = await makeGroup(world, 1)
    return JSON.stringify({ [symbol]: 0.05 })
  }),
  ExtraTokenPriceJson: option(async world =>
    JSON.stringify({ [await makePrice(world, 1)]: { output_text_tokens: 0 } }),
  ),
  AdminGatewayWritesAllowed: option(() => 'true'),
  DefaultPrice: option(() => '0'),
  QuotaPerUnit: option(() => '500000'),
}
