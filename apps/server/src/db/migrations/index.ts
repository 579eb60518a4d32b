import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import { first } from './0001-first.ts'
import { prices } from './0002-prices.ts'
import { redemptions } from './0003-redemptions.ts'
import { limits } from './0004-limits.ts'
import { receipts } from './0005-receipts.ts'
import { balanceCurrency } from './0006-balance-currency.ts'
import { storedResponses } from './0007-stored-responses.ts'
import { localResponses } from './0008-local-responses.ts'
import { plainColumnNames } from './0009-plain-column-names.ts'
import { logSearch } from './0010-log-search.ts'
import { channelTests } from './0012-channel-tests.ts'
import { accounts } from './0014-accounts.ts'
import { channelVersions } from './0016-channel-versions.ts'
import { storedResources } from './0017-stored-resources.ts'
import { channelKeys } from './0018-channel-keys.ts'
import { usageSumsTable } from './0019-usage-sums.ts'
import { signIn } from './0020-sign-in.ts'
import { oauth } from './0021-oauth.ts'
import { passkeys } from './0022-passkeys.ts'
import { people } from './0023-people.ts'
import { payments } from './0025-payments.ts'
import { invoices } from './0026-invoices.ts'
import { tasks } from './0027-tasks.ts'
import { auditChanges } from './0028-audit-changes.ts'
import { taskPages } from './0030-task-pages.ts'
import { taskPolls } from './0032-task-polls.ts'
import { taskCallbacks } from './0033-task-callbacks.ts'
import { channelChanges } from './0034-channel-changes.ts'
import { responseCache } from './0036-response-cache.ts'
import { notifications } from './0038-notifications.ts'
import { refundQueries } from './0043-refund-queries.ts'
import { taskCopies } from './0044-task-copies.ts'
import { telegram } from './0045-telegram.ts'
import { importedCountersTable } from './0047-imported-counters.ts'
import { taskCopyLocations } from './0048-task-copy-locations.ts'
import { channelModelTests } from './0050-channel-model-tests.ts'
import { importedLogs } from './0051-imported-logs.ts'
import { contextSizes } from './0052-context-sizes.ts'
import { virtualModels } from './0054-virtual-models.ts'
import { usageDurations } from './0055-usage-durations.ts'
import { channelFigures } from './0056-channel-figures.ts'
import { channelChecks } from './0057-channel-checks.ts'
import { billingTag } from './0058-billing-tag.ts'
import { callSessions } from './0059-call-sessions.ts'
import { backupRuns } from './0060-backup-runs.ts'
import { nodeReports } from './0061-node-reports.ts'
import { modelInfo } from './0062-model-info.ts'
import { localBackground } from './0063-local-background.ts'
import { cappedSettles } from './0064-capped-settles.ts'
import { unboundedHolds } from './0065-unbounded-holds.ts'
import { siteAddress } from './0069-site-address.ts'
import { serviceFailures } from './0070-service-failures.ts'
import { testKinds } from './0071-test-kinds.ts'
import { jobRuns } from './0073-job-runs.ts'
import { sessionProofs } from './0074-session-proofs.ts'
import { promptRatiosTable } from './0075-prompt-ratios.ts'
import { leftCalls } from './0076-left-calls.ts'
import { promotions } from './0078-promotions.ts'
import { invitations } from './0079-invitations.ts'
import { newRules } from './0082-new-rules.ts'
import { errorRequests } from './0087-error-requests.ts'
import { cacheSums } from './0088-cache-sums.ts'
import { channelWatches } from './0089-channel-watches.ts'
import { upstreamRatios } from './0090-upstream-ratios.ts'
import { storedImages } from './0091-stored-images.ts'
import { costs } from './0092-costs.ts'
import { channelBalances } from './0093-channel-balances.ts'
import { rareLogs } from './0094-rare-logs.ts'
import { costSums } from './0095-cost-sums.ts'
import { upstreamPrices } from './0096-upstream-prices.ts'

/**
 * The keys are recorded in every database and never change, even where a file was renamed since. A released migration
 * is never edited in effect: a correction is another migration. The release before must run on the new schema, so a
 * migration only adds. One that cannot writes its key to the option `OldestCompatibleMigration`, and older releases refuse.
 */
export const migrations = (schema: SchemaKit): Record<string, Migration> => ({
  '0001-first': first(schema),
  '0002-prices': prices(schema),
  '0004-limits': limits(schema),
  '0003-grants': redemptions(schema),
  '0006-balance-currency': balanceCurrency,
  '0005-receipts': receipts(schema),
  '0007-stored': storedResponses(schema),
  '0008-kept': localResponses(schema),
  '0009-plain-column-names': plainColumnNames,
  '0010-log-search': logSearch,
  '0012-channel-tests': channelTests,
  '0014-accounts': accounts(schema),
  '0016-channel-versions': channelVersions(schema),
  '0017-stored-resources': storedResources(schema),
  '0018-channel-keys': channelKeys(schema),
  '0019-usage-sums': usageSumsTable(schema),
  '0020-sign-in': signIn(schema),
  '0023-people': people(schema),
  '0025-payments': payments(schema),
  '0021-oauth': oauth(schema),
  '0022-passkeys': passkeys(schema),
  '0026-invoices': invoices(schema),
  '0027-tasks': tasks(schema),
  '0030-task-pages': taskPages,
  '0028-audit-changes': auditChanges(schema),
  '0032-task-polls': taskPolls(schema),
  '0047-imported-counters': importedCountersTable(schema),
  '0033-task-callbacks': taskCallbacks(schema),
  '0044-task-copies': taskCopies(schema),
  '0048-task-copy-locations': taskCopyLocations(schema),
  '0043-refund-queries': refundQueries(schema),
  '0045-telegram': telegram(schema),
  '0052-context-sizes': contextSizes,
  '0038-notifications': notifications(schema),
  '0036-response-cache': responseCache(schema),
  '0034-channel-changes': channelChanges(schema),
  '0058-billing-tag': billingTag(schema),
  '0054-virtual-models': virtualModels(schema),
  '0056-channel-figures': channelFigures(schema),
  '0057-channel-checks': channelChecks(schema),
  '0059-call-sessions': callSessions,
  '0060-backup-runs': backupRuns(schema),
  '0061-node-reports': nodeReports(schema),
  '0062-model-info': modelInfo(schema),
  '0063-local-background': localBackground(schema),
  '0064-capped-settles': cappedSettles,
  '0065-unbounded-holds': unboundedHolds(schema),
  '0069-site-address': siteAddress,
  '0070-service-failures': serviceFailures(schema),
  '0071-test-kinds': testKinds,
  '0073-job-runs': jobRuns(schema),
  '0074-session-proofs': sessionProofs(schema),
  '0076-left-calls': leftCalls(schema),
  '0075-prompt-ratios': promptRatiosTable(schema),
  '0078-promotions': promotions(schema),
  '0079-invitations': invitations(schema),
  '0082-new-rules': newRules,
  '0087-error-requests': errorRequests,
  '0088-cache-sums': cacheSums(schema),
  '0089-channel-watches': channelWatches(schema),
  '0090-upstream-ratios': upstreamRatios(schema),
  '0091-stored-images': storedImages(schema),
  '0092-costs': costs(schema),
  '0093-channel-balances': channelBalances(schema),
  '0094-rare-logs': rareLogs,
  '0096-upstream-prices': upstreamPrices(schema),
  '0095-cost-sums': costSums(schema),
  '0055-usage-durations': usageDurations(schema),
  '0051-imported-logs': importedLogs,
  '0050-channel-model-tests': channelModelTests(schema),
})
