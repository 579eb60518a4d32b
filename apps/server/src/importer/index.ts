import { Fault } from '@hub/contract'
import { seedOwners } from '../billing/prices/seed.ts'
import { type App, nowSeconds } from '../core/app.ts'
import { newRulesSince } from '../core/site/new-rules.ts'
import * as optionRows from '../db/queries/options.ts'
import * as users from '../db/queries/users.ts'
import type { GatewayData } from './gateway-data.ts'
import { isLiteLlm, readLiteLlm } from './litellm/index.ts'
import { isNewApi, readNewApi } from './new-api/index.ts'
import { isOneHub, readOneHub } from './one-hub/index.ts'
import { type ImportReport, ReportDraft } from './report.ts'
import { openSource } from './sources/open-source.ts'
import type { SourceDatabase } from './sources/source-database.ts'
import { writeChannels } from './write/channels.ts'
import type { ImportContext } from './write/context.ts'
import { writeGroups } from './write/groups.ts'
import { createHistoryMonths, writeHistory } from './write/history.ts'
import { writeModelInfo } from './write/model-info.ts'
import { writePrices } from './write/prices.ts'
import { writeRedemptions } from './write/redemptions.ts'
import { writeMenus } from './write/site/bot-menus.ts'
import { writeOptions } from './write/site/options.ts'
import { writeOwners } from './write/site/owners.ts'
import { writeGateways } from './write/site/payment-gateways.ts'
import { writeTokens } from './write/tokens.ts'
import { writeUsers } from './write/users.ts'

export { printReport } from './report.ts'

export type ImportOptions = {
  /** Writes nothing. */
  isDryRun: boolean
  /** Carries the log and the orders of the past, too. */
  withHistory?: boolean
  /** The parsed answer of New API at `/api/pricing`, which no other gateway needs. */
  pricing?: unknown
  /** The `LITELLM_SALT_KEY` of LiteLLM, which no other gateway needs. It is not stored. */
  saltKey?: string | undefined
}

/**
 * Carries users, keys, channels, prices and settings of another gateway into an empty database, in one transaction. The
 * source is only read. Throws `import.source` or `import.not_empty`; then nothing was written. A kill may leave empty months
 * of the log, which the next import uses.
 */
export const importGateway = async (
  app: App,
  address: string,
  options: ImportOptions,
): Promise<ImportReport> => {
  const source = await openSource(address)
  return importSource(app, source, options).finally(() => source.close())
}

/** Throws `import.source` unless the source is the database of a gateway that can be imported. */
export const checkSource = async (address: string): Promise<void> => {
  const source = await openSource(address)
  try {
    gatewayOf(await source.tables())
  } finally {
    await source.close()
  }
}

const importSource = async (
  app: App,
  source: SourceDatabase,
  { isDryRun, withHistory = false, ...options }: ImportOptions,
): Promise<ImportReport> => {
  const data = await readGateway(app, source, options)
  if (withHistory && data.history.length === 0)
    throw new Fault('import.source', { hint: `The history of ${data.program} cannot be carried.` })
  const carried = withHistory ? data.history.map(each => String(each.table)) : []
  data.left = data.left.filter(each => !carried.includes(each.table))
  if (await users.hasAny(app.db)) throw new Fault('import.not_empty')
  await seedOwners(app)
  if (withHistory && !isDryRun) await createHistoryMonths(app, source, data)
  const report = new ReportDraft(data)
  const tx = await app.db.startTransaction().execute()
  try {
    // Another import may have ended since the first look.
    if (await users.hasAny(tx)) throw new Fault('import.not_empty')
    const context = { app, tx, report, users: new Map(), groups: new Map() }
    await writeAll(context, data)
    // Its users knew another gateway, which refused less.
    await optionRows.write(tx, newRulesSince, String(nowSeconds(app)))
    if (withHistory) await writeHistory(context, source, data)
    await (isDryRun ? tx.rollback() : tx.commit()).execute()
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
  return report.finish(isDryRun)
}

const readGateway = async (
  app: App,
  source: SourceDatabase,
  { pricing, saltKey }: Pick<ImportOptions, 'pricing' | 'saltKey'>,
): Promise<GatewayData> => {
  const gateway = gatewayOf(await source.tables())
  const now = nowSeconds(app)
  if (gateway === 'one-hub') return readOneHub(source, now)
  if (gateway === 'new-api') return readNewApi(source, pricing, now)
  const { QuotaPerUnit: pointsPerUsd } = app.settings().site
  return readLiteLlm(source, { saltKey, pointsPerUsd })
}

const gatewayOf = (
  tables: Awaited<ReturnType<SourceDatabase['tables']>>,
): 'one-hub' | 'new-api' | 'litellm' => {
  if (isOneHub(tables)) return 'one-hub'
  if (isNewApi(tables)) return 'new-api'
  if (isLiteLlm(tables)) return 'litellm'
  throw new Fault('import.source', {
    hint: 'It has not the tables of One Hub, done-hub, New API, One API or LiteLLM.',
  })
}

const writeAll = async (context: ImportContext, data: GatewayData): Promise<void> => {
  await writeGroups(context, data.groups)
  await writeUsers(context, data.users)
  await writeTokens(context, data.tokens)
  await writeChannels(context, data.channels)
  await writePrices(context, data.prices)
  await writeRedemptions(context, data.redemptions)
  await writeOwners(context, data.owners)
  await writeModelInfo(context, data.modelInfo)
  await writeOptions(context, data.options)
  await writeGateways(context, data.gateways)
  await writeMenus(context, data.menus)
}
