import type { SecurityMutation } from './mutation.ts'

const features = 'apps/server/src/features'
const rights = 'apps/server/src/core/accounts/money-rights.ts'
const lowRatios = 'apps/server/src/core/accounts/low-ratios.ts'
const freePrices = 'apps/server/src/billing/prices/free-prices.ts'
const bounds = 'packages/contract/src/money-bounds.ts'
const title = 'S56 has the outcome of the table for every role, and is audited'

type Guard = Pick<SecurityMutation, 'file' | 'find'> & Partial<SecurityMutation>

const mutation = (guard: Guard): SecurityMutation => ({
  ids: ['S56'],
  replace: '',
  test: 'test/security/money-writes.test.ts',
  title,
  ...guard,
})

/** A bound that is taken out, and the test that sends numbers outside. */
const boundMutation = (guard: Guard): SecurityMutation =>
  mutation({
    test: 'test/security/money-bounds.test.ts',
    title: 'S56 a number outside is refused',
    ...guard,
  })

/** Guards of the writes of money: who may, to whom, with which proof, and within which bounds. */
export const moneyWriteMutations: readonly SecurityMutation[] = [
  mutation({
    file: rights,
    find: '  if (!rightsOf(app, caller.role).includes(right))\n    throw',
    replace: '  if (right === undefined)\n    throw',
  }),
  mutation({
    file: rights,
    find: 'right => role >= roles.root || administrators[moneyRights[right]]',
    replace: 'right => role >= roles.root || right in administrators',
  }),
  mutation({ file: rights, find: '  requireRecentProof(app, caller)\n' }),
  mutation({
    file: rights,
    find: "  if (nowSeconds(app) - provedAt > proofSeconds) throw new Fault('access.proof_needed')\n",
  }),
  mutation({
    file: rights,
    find: 'nowSeconds(app) - provedAt > proofSeconds',
    replace: 'provedAt === 0',
    title: 'S56 a proof is valid for ten minutes',
  }),
  mutation({
    file: `${features}/profile/index.ts`,
    find: '    await requireFreshProof(app, context, await getSelf(app, userId), proof)\n',
    title: 'S56 a proof is valid for ten minutes',
  }),
  mutation({
    file: 'apps/server/src/db/queries/sessions.ts',
    find: "    .set({ proved_at: now })\n    .where('id_hash', '=', idHash)\n",
    replace: '    .set({ proved_at: now })\n',
    title: 'S56 a proof is valid for ten minutes',
  }),
  ...['return createGateway', 'return updateGateway', 'return requireMatch'].map(next =>
    mutation({
      file: `${features}/payments/index.ts`,
      find: `    requireRight(app, caller, 'gateways')\n    ${next}`,
      replace: `    ${next}`,
    }),
  ),
  mutation({
    file: `${features}/orders/index.ts`,
    find: "    requireRight(app, caller, 'order_credits')\n",
  }),
  mutation({
    file: `${features}/orders/index.ts`,
    find: "  if (owner && owner.role >= caller.role) throw new Fault('user.rank')\n",
  }),
  mutation({
    file: `${features}/orders/index.ts`,
    find: '    requireRecentProof(app, caller)\n',
  }),
  mutation({
    file: `${features}/logs/index.ts`,
    find: "    requireRight(app, caller, 'log_deletion')\n",
  }),
  mutation({
    file: `${features}/users/change-quota.ts`,
    find: '  requireRecentProof(app, caller)\n',
  }),
  mutation({
    file: `${features}/users/create.ts`,
    find: '  if (quota > 0 || role !== roles.user) requireRecentProof(app, caller)\n',
  }),
  mutation({
    file: `${features}/users/update.ts`,
    find: '  if (changesRole) requireRecentProof(app, caller)\n',
  }),
  mutation({
    file: `${features}/users/manage.ts`,
    find: "  if (action === 'promote') requirePromotion(app, caller)\n",
  }),
  mutation({
    file: `${features}/redemptions/index.ts`,
    find: '): Promise<string[]> => {\n  requireRecentProof(app, caller)\n',
    replace: '): Promise<string[]> => {\n',
  }),
  mutation({
    file: `${features}/redemptions/index.ts`,
    find: '    await requireOwnRank(app, caller, before)\n',
  }),
  mutation({
    file: 'apps/server/src/billing/orders/redeem-code.ts',
    find: '      await requireRedeemable(tx, caller, code.user_id)\n',
  }),
  mutation({
    file: `${features}/groups/index.ts`,
    find: '    requireLowRatios(app, caller, before, await rows.listAll(tx))\n',
  }),
  mutation({
    file: lowRatios,
    find: 'Number(after.ratio) < Number(before.ratio)',
    replace: 'Number(before.ratio) === 0',
  }),
  mutation({ file: lowRatios, find: "isOpened('public') || " }),
  mutation({ file: lowRatios, find: "isOpened('enable') || " }),
  mutation({
    file: lowRatios,
    find: "isOpened('promotion') || hasOtherRange",
    replace: 'false',
  }),
  mutation({
    file: `${features}/settings/aliases.ts`,
    find: '    requireLowRatios(app, caller, before, await groups.listAll(tx))\n',
  }),
  mutation({
    file: `${features}/settings/index.ts`,
    find: '  if (givesAway(key, read.value)) requireRecentProof(app, caller)\n',
  }),
  mutation({
    file: `${features}/virtual-models/save.ts`,
    find: "  if (grants(saved).some(each => !known.has(each))) requireRight(app, caller, 'low_ratios')\n",
  }),
  mutation({
    file: 'apps/server/src/billing/prices/write-prices.ts',
    find: '    requireFreePrices(app, writer, before, await rows.listAll(tx))\n',
  }),
  mutation({
    file: `${features}/prices/schedule.ts`,
    find: '    requireFreePrices(app, caller, stored, [...stored, ...changed])\n',
  }),
  mutation({
    file: freePrices,
    find: 'Number(amount) < lowestPrice',
    replace: 'Number(amount) === 0',
  }),
  mutation({ file: freePrices, find: 'isFree(tier.input, tier.output)', replace: 'false' }),
  mutation({
    file: freePrices,
    find: '    if (prefix) return prefix\n',
  }),
  boundMutation({
    file: bounds,
    find: 'QuotaPerUnit: { min: 1,',
    replace: 'QuotaPerUnit: { min: 0.01,',
    title: 'S56 the examples of bugs are refused',
    also: [{ file: bounds, find: 'integer ? number.int(error) : number', replace: 'number' }],
  }),
  boundMutation({
    file: bounds,
    find: 'percent_fee: { min: 0, max: 0.5,',
    replace: 'percent_fee: { min: 0, max: 10,',
    title: 'S56 the examples of bugs are refused',
  }),
  boundMutation({
    file: bounds,
    find: '.min(min, error).max(max, error)',
    replace: '.min(min, error)',
  }),
  boundMutation({
    file: 'packages/contract/src/groups.ts',
    find: "ratio: moneyNumber('groupRatio').default(1)",
    replace: 'ratio: z.number().default(1)',
  }),
  boundMutation({
    file: 'packages/contract/src/payments.ts',
    find: "fixed_fee: moneyNumber('fixed_fee').default(0)",
    replace: 'fixed_fee: z.number().default(0)',
  }),
  mutation({
    file: 'apps/server/src/billing/orders/place-order.ts',
    find: '  if (pointsFor(app, amount) < 1)\n',
    replace: '  if (pointsFor(app, amount) < 0)\n',
    test: `${features}/payments/payments.test.ts`,
    title: 'S56 an order that would buy less than a point',
  }),
]
