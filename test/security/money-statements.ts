import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const source = join(import.meta.dirname, '../../apps/server/src')
const queries = 'db/queries'

/** Tables in which a row is money, a price, a right to a price, or evidence of either. */
const moneyTables = [
  'prices price_schedule price_undo user_groups payment_gateways redemptions options',
  'orders debts invitations virtual_models users logs',
].flatMap(names => names.split(' '))

const write = new RegExp(
  `(insertInto|updateTable|deleteFrom)\\(\\s*'(${moneyTables.join('|')})'|insertSealed\\(\\s*\\w+,\\s*'(${moneyTables.join('|')})'`,
)

/** Every file of the server below a folder, tests apart, by its path. */
const filesBelow = (folder: string): [path: string, text: string][] =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => [join(folder, name), readFileSync(join(source, folder, name), 'utf8')])

/** The functions of each query file that write to a table of money, as `prices.insert`. */
const moneyStatements = (): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    filesBelow(queries).map(([path, text]) => [
      basename(path, '.ts'),
      new Set(
        text
          .split(/^export const /m)
          .slice(1)
          .filter(each => write.test(each))
          .map(each => /^\w+/.exec(each)![0]),
      ),
    ]),
  )

type Import = { module: string; alias: string | undefined; names: string[] }

const importsOf = (text: string): Import[] =>
  [...text.matchAll(/import (?:\* as (\w+)|\{([^}]*)\}) from '([^']+)'/g)].map(
    ([, alias, names = '', module = '']) => ({
      module,
      alias,
      names: names.split(',').map(name => name.trim()),
    }),
  )

/** The statements of money that each file calls: of a query file, or a posting of the ledger. */
export const callersOfMoneyStatements = (): Record<string, string> => {
  const statements = moneyStatements()
  const found: Record<string, string> = {}
  for (const folder of ['billing', 'core', 'features', 'http', 'integrations', 'jobs'])
    for (const [path, text] of filesBelow(folder)) {
      const calls = new Set<string>()
      for (const { module, alias, names } of importsOf(text)) {
        const name = basename(module, '.ts')
        if (module.endsWith('billing/ledger.ts') || /^\.\.?\/ledger\.ts$/.test(module))
          for (const each of names)
            if (['post', 'openAccount'].includes(each) && text.includes(`${each}(app`))
              calls.add(each)
        const known = module.includes(`${queries}/`) ? statements.get(name) : undefined
        for (const each of known ?? [])
          if (alias ? new RegExp(`\\b${alias}\\.${each}\\(`).test(text) : names.includes(each))
            calls.add(`${name}.${each}`)
      }
      if (write.test(text)) calls.add('direct')
      if (calls.size > 0) found[path] = [...calls].sort().join(' ')
    }
  return found
}

/** The callers of statements of money, and what reaches them: endpoints, or a way without an endpoint. */
export const moneyFiles: Readonly<Record<string, readonly [calls: string, reachedBy: string]>> = {
  'billing/create-account.ts': [
    'invitations.insert logs.insert openAccount post users.countInvited users.insertIfFree',
    'a registration, by the gifts and caps of the settings',
  ],
  'billing/invitations/reward-spending.ts': ['post', 'a job, by the settings'],
  'billing/invitations/rewards.ts': [
    'invitations.markFunded invitations.move logs.insert users.addReward users.lock',
    'POST /api/invitation/:id/give, POST /api/invitation/:id/withhold, a registration, a payment, its return, a job',
  ],
  'billing/orders/apply-event.ts': [
    'logs.insert orders.lock orders.markCredited orders.move orders.update post',
    'POST /api/payment/order/:id/credit, POST /api/payment/order/:id/ask, notices of vendors',
  ],
  'billing/orders/debts.ts': [
    'debts.pay orders.lock orders.update',
    'what credits an order or redeems a code, and a job by the settings',
  ],
  'billing/orders/place-order.ts': ['orders.insert orders.update', 'POST /api/user/order'],
  'billing/orders/reconcile.ts': [
    'orders.claimQuery orders.move',
    'POST /api/payment/order/:id/ask, a job',
  ],
  'billing/orders/redeem-code.ts': [
    'invitations.markFunded logs.insert post redemptions.claim users.lock',
    'POST /api/user/topup, the Telegram bot',
  ],
  'billing/orders/refund.ts': ['orders.lock', 'POST /api/payment/order/:id/refund'],
  'billing/orders/take-back.ts': [
    'debts.write orders.update post',
    'POST /api/payment/order/:id/refund, notices of vendors',
  ],
  'billing/prices/schedule.ts': [
    'price-schedule.takeDue prices.upsert',
    'a job, after POST /api/prices/schedule',
  ],
  'billing/prices/seed.ts': ['price-versions.addPrices', 'the first start'],
  'billing/prices/write-prices.ts': ['prices.insert', 'POST /api/channel/, PUT /api/channel/'],
  'core/accounts/promote-user.ts': [
    'users.lock users.update',
    'a top-up, a refund or a dispute, by the groups that promote',
  ],
  'core/accounts/remove-user.ts': [
    'invitations.forgetAddress users.lock users.remove',
    'DELETE /api/user/:id, DELETE /api/user/self',
  ],
  'core/secrets/master-key.ts': ['options.writeFirst', 'the first start'],
  'core/sign-in/finish-sign-in.ts': ['users.update', 'a sign-in, which writes its time'],
  'features/groups/index.ts': [
    'groups.insert groups.remove groups.toggle groups.update',
    'POST /api/user_group/, PUT /api/user_group/, PUT /api/user_group/enable/:id, DELETE /api/user_group/:id',
  ],
  'features/invitations/index.ts': [
    'post',
    'POST /api/invitation/:id/give, POST /api/invitation/:id/withhold',
  ],
  'features/logs/index.ts': ['logs.removeBefore', 'DELETE /api/log/'],
  'features/operations/index.ts': ['options.remove', 'the list of new rules, once it was read'],
  'features/oauth/bindings.ts': ['users.lock', 'a binding, which locks its user'],
  'features/orders/index.ts': ['orders.lock', 'POST /api/payment/order/:id/credit'],
  'features/passkeys/index.ts': ['users.lock', 'a passkey, which locks its user'],
  'features/payments/index.ts': [
    'payment-gateways.insert payment-gateways.remove payment-gateways.update',
    'POST /api/payment/, PUT /api/payment/, DELETE /api/payment/:id',
  ],
  'features/prices/bulk.ts': [
    'price-undo.remember price-undo.take prices.removeAll prices.upsert',
    'POST /api/prices/multiple, PUT /api/prices/multiple/delete, POST /api/prices/sync, POST /api/prices/undo, updates by the settings',
  ],
  'features/prices/index.ts': [
    'prices.insert prices.remove prices.update',
    'POST /api/prices/single, PUT /api/prices/single/*name, DELETE /api/prices/single/*name',
  ],
  'features/prices/schedule.ts': [
    'price-schedule.schedule price-schedule.unschedule',
    'POST /api/prices/schedule, DELETE /api/prices/schedule',
  ],
  'features/profile/change-email.ts': ['users.update', 'POST /api/user/email'],
  'features/profile/index.ts': ['users.update', 'POST /api/user/token'],
  'features/profile/update.ts': ['users.update', 'PUT /api/user/self'],
  'features/redemptions/code.ts': ['direct', 'POST /api/redemption/'],
  'features/redemptions/index.ts': [
    'redemptions.remove redemptions.update',
    'PUT /api/redemption/, DELETE /api/redemption/:id',
  ],
  'features/settings/aliases.ts': ['groups.insert groups.update prices.update', 'PUT /api/option/'],
  'features/settings/index.ts': ['options.write', 'PUT /api/option/'],
  'features/sign-in/login.ts': ['users.update', 'a sign-in, which writes a newer hash'],
  'features/tasks/index.ts': ['task-callbacks.renewSecret', 'a secret of callbacks'],
  'features/users/change-quota.ts': ['logs.insert post', 'POST /api/user/quota/:id'],
  'features/users/create.ts': ['openAccount users.insert', 'POST /api/user/'],
  'features/users/first-root.ts': ['openAccount users.insertIfFree', 'the first start'],
  'features/users/manage.ts': ['users.update', 'POST /api/user/manage'],
  'features/users/update.ts': ['users.update', 'PUT /api/user/'],
  'features/virtual-models/index.ts': ['virtual-models.remove', 'DELETE /api/virtual_model/:id'],
  'features/virtual-models/save.ts': [
    'virtual-models.insert virtual-models.update',
    'POST /api/virtual_model/, PUT /api/virtual_model/, POST /api/virtual_model/:id/restore',
  ],
  'jobs/remove-old-logs.ts': ['logs.removeBefore', 'a job, by the settings'],
}
