import type * as backupRuns from './backup-runs.ts'
import type * as channelBalances from './channel-balances.ts'
import type * as channels from './channels.ts'
import type * as costs from './costs.ts'
import type * as groupsTokens from './groups-tokens.ts'
import type * as invitations from './invitations.ts'
import type * as invoices from './invoices.ts'
import type * as jobRuns from './job-runs.ts'
import type * as ledger from './ledger.ts'
import type * as logsAudit from './logs-audit.ts'
import type * as modelInfo from './model-info.ts'
import type * as nodeReports from './node-reports.ts'
import type * as notifications from './notifications.ts'
import type * as optionsTopics from './options-topics.ts'
import type * as payments from './payments.ts'
import type * as prices from './prices.ts'
import type { PromptRatiosTable } from './prompt-ratios.ts'
import type * as queuedReminders from './queued-reminders.ts'
import type { ReasoningSamplesTable } from './reasoning-samples.ts'
import type * as redemptions from './redemptions.ts'
import type * as responses from './responses.ts'
import type { ServiceFailuresTable } from './service-failures.ts'
import type * as signIn from './sign-in.ts'
import type * as tasks from './tasks.ts'
import type * as telegram from './telegram.ts'
import type * as users from './users.ts'
import type * as virtualModels from './virtual-models.ts'

export type Tables = {
  users: users.UsersTable
  identities: users.IdentitiesTable
  sessions: users.SessionsTable
  one_time_codes: signIn.OneTimeCodesTable
  second_factors: signIn.SecondFactorsTable
  backup_codes: signIn.BackupCodesTable
  passkeys: signIn.PasskeysTable
  oauth_providers: signIn.OAuthProvidersTable
  user_groups: groupsTokens.UserGroupsTable
  tokens: groupsTokens.TokensTable
  channels: channels.ChannelsTable
  channel_keys: channels.ChannelKeysTable
  channel_changes: channels.ChannelChangesTable
  virtual_models: virtualModels.VirtualModelsTable
  virtual_model_versions: virtualModels.VirtualModelVersionsTable
  channel_checks: channels.ChannelChecksTable
  channel_watches: channels.ChannelWatchesTable
  channel_balances: channelBalances.ChannelBalancesTable
  channel_balance_states: channelBalances.ChannelBalanceStatesTable
  upstream_groups: channels.UpstreamGroupsTable
  upstream_ratios: channels.UpstreamRatiosTable
  channel_model_tests: channels.ChannelModelTestsTable
  prices: prices.PricesTable
  price_schedule: prices.PriceScheduleTable
  price_undo: prices.PriceUndoTable
  price_versions: prices.PriceVersionsTable
  owners: prices.OwnersTable
  cost_lists: costs.CostListsTable
  cost_versions: costs.CostVersionsTable
  attempt_costs: costs.AttemptCostsTable
  exchange_rates: costs.ExchangeRatesTable
  cost_sums: costs.CostSumsTable
  prompt_ratios: PromptRatiosTable
  model_info: modelInfo.ModelInfoTable
  options: optionsTopics.OptionsTable
  topics: optionsTopics.TopicsTable
  logs: logsAudit.LogsTable
  audit: logsAudit.AuditTable
  redemptions: redemptions.RedemptionsTable
  queued: queuedReminders.QueuedTable
  reminders: queuedReminders.RemindersTable
  notification_targets: notifications.NotificationTargetsTable
  notifications: notifications.NotificationsTable
  nodes: ledger.NodesTable
  accounts: ledger.AccountsTable
  token_spend: ledger.TokenSpendTable
  holds: ledger.HoldsTable
  transfers: ledger.TransfersTable
  channel_used: ledger.ChannelUsedTable
  limit_marks: ledger.LimitMarksTable
  imported_counters: ledger.ImportedCountersTable
  shortfalls: ledger.ShortfallsTable
  idempotency: ledger.IdempotencyTable
  stored_answers: responses.StoredAnswersTable
  background_calls: responses.BackgroundCallsTable
  stored_resources: responses.StoredResourcesTable
  invoice_months: invoices.InvoiceMonthsTable
  invoices: invoices.InvoicesTable
  invoice_documents: invoices.InvoiceDocumentsTable
  usage_sums: logsAudit.UsageSumsTable
  cache_sums: logsAudit.CacheSumsTable
  payment_gateways: payments.PaymentGatewaysTable
  orders: payments.OrdersTable
  order_events: payments.OrderEventsTable
  order_reversals: payments.OrderReversalsTable
  debts: payments.DebtsTable
  tasks: tasks.TasksTable
  task_polls: tasks.TaskPollsTable
  task_copies: tasks.TaskCopiesTable
  stored_images: tasks.StoredImagesTable
  telegram_menus: telegram.TelegramMenusTable
  telegram_bot: telegram.TelegramBotTable
  backup_runs: backupRuns.BackupRunsTable
  node_reports: nodeReports.NodeReportsTable
  job_runs: jobRuns.JobRunsTable
  invitations: invitations.InvitationsTable
  invitation_counts: invitations.InvitationCountsTable
  service_failures: ServiceFailuresTable
  reasoning_samples: ReasoningSamplesTable
}
