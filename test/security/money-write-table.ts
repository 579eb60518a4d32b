/** `yes`, the fault that refuses the call, or `–` where the case cannot occur. */
type Outcome = string

export type MoneyWrite = {
  /** The endpoint of the access table. */
  endpoint: string
  /** Says what the call does, and to whom. */
  what: string
  user: Outcome
  administrator: Outcome
  /** An administrator to target the setting allows it; absent: no setting does. */
  allowed?: readonly [setting: string, outcome: Outcome]
  root: Outcome
  /** In a session it needs a proof of the last ten minutes. */
  proof: boolean
}

const role = 'access.denied'
const rank = 'user.rank'
const needsRoot = 'access.root_needed'

/** Only a super administrator, unless the setting allows it to administrators. */
const ofRoot = (endpoint: string, what: string, setting: string): MoneyWrite => ({
  ...{ endpoint, what, user: role, administrator: needsRoot },
  ...{ allowed: [setting, 'yes'] as const, root: 'yes', proof: true },
})

/** Administrators too. */
const ofAdministrators = (endpoint: string, what: string, proof: boolean): MoneyWrite => ({
  ...{ endpoint, what, user: role, administrator: 'yes', root: 'yes', proof },
})

/** Administrators to users of a lower role only. */
const byRank = (endpoint: string, what: string, proof: boolean): MoneyWrite[] => [
  ofAdministrators(endpoint, `${what} of a user`, proof),
  ...['the caller', 'a peer', 'a superior'].map(target => ({
    ...{ endpoint, what: `${what} of ${target}`, user: role, administrator: rank },
    ...{ root: 'yes', proof },
  })),
]

const gateways = 'AdminGatewayWritesAllowed'
const ratios = 'AdminLowRatiosAllowed'
const free = 'AdminFreePricesAllowed'
const credits = 'AdminOrderCreditsAllowed'

/** Every write of money and rank of the admin API, by role and by whom it concerns. Written by hand. */
export const moneyWrites: readonly MoneyWrite[] = [
  ofRoot('POST /api/payment/', 'a new gateway', gateways),
  ofRoot('PUT /api/payment/', 'the keys of a gateway', gateways),
  ofRoot('PUT /api/payment/', 'the name of a gateway', gateways),
  ofRoot('DELETE /api/payment/:id', 'a gateway', gateways),
  ofRoot('POST /api/payment/order/:id/credit', 'an order of a user', credits),
  ...['the caller', 'a peer', 'a superior'].map(
    (target): MoneyWrite => ({
      ...{ endpoint: 'POST /api/payment/order/:id/credit', what: `an order of ${target}` },
      ...{ user: role, administrator: rank, allowed: [credits, rank], root: 'yes', proof: true },
    }),
  ),
  ...byRank('POST /api/payment/order/:id/refund', 'an order', true),
  ...byRank('POST /api/user/quota/:id', 'the balance', true),
  ...byRank('POST /api/invitation/:id/give', 'the reward', true),
  ...byRank('POST /api/invitation/:id/withhold', 'the reward', true),
  ofAdministrators('POST /api/user/', 'a new user with points', true),
  ofAdministrators('POST /api/user/', 'a new user without points', false),
  {
    ...{ endpoint: 'POST /api/user/', what: 'a new administrator', user: role },
    ...{ administrator: rank, root: 'yes', proof: true },
  },
  ...byRank('PUT /api/user/', 'the group', false),
  {
    ...{ endpoint: 'PUT /api/user/', what: 'a higher role of a user', user: role },
    ...{ administrator: rank, root: 'yes', proof: true },
  },
  {
    ...{ endpoint: 'POST /api/user/manage', what: 'promotes a user', user: role },
    ...{ administrator: role, root: 'yes', proof: true },
  },
  {
    ...{ endpoint: 'POST /api/user/manage', what: 'enables a peer', user: role },
    ...{ administrator: rank, root: 'yes', proof: false },
  },
  ofAdministrators('POST /api/user/manage', 'enables a user', false),
  ofAdministrators('POST /api/redemption/', 'a code', true),
  ofAdministrators('PUT /api/redemption/', 'more points of a code of the caller', true),
  {
    ...{ endpoint: 'PUT /api/redemption/', what: 'more points of a code of a superior' },
    ...{ user: role, administrator: rank, root: 'yes', proof: true },
  },
  ofAdministrators('PUT /api/redemption/', 'the name of a code of a superior', false),
  {
    ...{ endpoint: 'POST /api/user/topup', what: 'redeems a code of a super administrator' },
    ...{ user: 'yes', administrator: 'yes', root: 'yes', proof: false },
  },
  {
    ...{ endpoint: 'POST /api/user/topup', what: 'redeems a code of an administrator' },
    ...{ user: 'yes', administrator: 'redemption.own_rank', root: 'yes', proof: false },
  },
  {
    ...{ endpoint: 'POST /api/user/topup', what: 'redeems a code of the caller' },
    ...{ user: '–', administrator: 'redemption.own_rank', root: 'yes', proof: false },
  },
  ofRoot('DELETE /api/log/', 'the logs of everybody', 'AdminLogDeletionAllowed'),
  ofRoot('POST /api/user_group/', 'a group of ratio 0.05', ratios),
  ofAdministrators('POST /api/user_group/', 'a group of ratio 0.1', false),
  ofRoot('PUT /api/user_group/', 'ratio 0.05 for a group of ratio 1', ratios),
  ofRoot('PUT /api/user_group/', 'ratio 0 for a group of ratio 0.05', ratios),
  ofRoot('PUT /api/user_group/', 'opens a group of ratio 0.05 to everybody', ratios),
  ofRoot('PUT /api/user_group/', 'promotes to a group of ratio 0.05', ratios),
  ofRoot('PUT /api/user_group/', 'promotes more users to a group of ratio 0.05', ratios),
  ofAdministrators('PUT /api/user_group/', 'the name of a group of ratio 0.05', false),
  ofRoot('PUT /api/user_group/enable/:id', 'enables a group of ratio 0.05', ratios),
  ofRoot('POST /api/virtual_model/', 'a candidate of a group of ratio 0.05', ratios),
  ofRoot('PUT /api/virtual_model/', 'a candidate of a group of ratio 0.05', ratios),
  ofRoot('POST /api/virtual_model/:id/restore', 'a candidate of a group of ratio 0.05', ratios),
  ofRoot('POST /api/prices/single', 'a free price', free),
  ofRoot('POST /api/prices/single', 'a price that is free above a token', free),
  ofRoot('POST /api/prices/single', 'a price of 0 whose tools cost', free),
  ofRoot('POST /api/prices/single', 'a price that is as good as free', free),
  ofAdministrators('POST /api/prices/single', 'a price', false),
  ofRoot('PUT /api/prices/single/*name', 'a free price', free),
  ofAdministrators('PUT /api/prices/single/*name', 'the lock of a free price', false),
  ofRoot('DELETE /api/prices/single/*name', 'a price above a free prefix', free),
  ofRoot('POST /api/prices/multiple', 'a free price', free),
  ofRoot('PUT /api/prices/multiple/delete', 'a price above a free prefix', free),
  ofRoot('POST /api/prices/sync', 'a free price', free),
  ofRoot('POST /api/prices/undo', 'back to a free price', free),
  ofRoot('POST /api/prices/schedule', 'a free price', free),
  ofRoot('POST /api/channel/', 'a free price', free),
  ofRoot('PUT /api/channel/', 'a free price', free),
  ...[
    ['GroupRatio', true],
    ['ExtraTokenPriceJson', true],
    [gateways, true],
    ['DefaultPrice', true],
    ['QuotaPerUnit', false],
  ].map(
    ([key, proof]): MoneyWrite => ({
      ...{ endpoint: 'PUT /api/option/', what: String(key), user: role },
      ...{ administrator: role, root: 'yes', proof: proof === true },
    }),
  ),
]

/** Writes of the same modules that neither give nor free anything, with the reason. */
export const withoutMoney: Readonly<Record<string, string>> = {
  'POST /api/payment/order/:id/ask': 'credits only what the vendor confirms',
  'POST /api/user/order': 'credits nothing before the vendor confirms it',
  'DELETE /api/user/:id': 'ends an account of a lower role',
  'DELETE /api/user/:id/sessions': 'signs out',
  'DELETE /api/user/:id/sessions/:session': 'signs out',
  'POST /api/user/:id/reset_2fa': 'changes a way to sign in, of a lower role',
  'DELETE /api/redemption/:id': 'takes away',
  'DELETE /api/user_group/:id': 'refused while anybody uses the group',
  'DELETE /api/virtual_model/:id': 'takes away',
  'POST /api/virtual_model/preview': 'changes nothing',
  'POST /api/prices/read': 'changes nothing',
  'POST /api/prices/suggest': 'changes nothing',
  'POST /api/prices/preview': 'changes nothing',
  'DELETE /api/prices/schedule': 'leaves the present price',
  'PUT /api/user/self': 'changes neither role nor group nor balance',
  'DELETE /api/user/self': 'ends the own account',
  'POST /api/user/proof': 'proves who calls',
  'DELETE /api/user/sessions': 'signs out',
  'DELETE /api/user/sessions/:session': 'signs out',
  'POST /api/user/token': 'changes a way to sign in',
  'POST /api/user/email': 'changes the own address',
  'POST /api/option/test-mail': 'sends an e-mail',
  'POST /api/option/test-task-storage': 'writes a test object',
}
