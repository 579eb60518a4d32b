import type * as grants from './grants.ts'
import type * as ledger from './ledger.ts'
import type * as people from './people.ts'
import type * as stored from './stored.ts'
import type * as trade from './trade.ts'

export type Tables = {
  users: people.UsersTable
  identities: people.IdentitiesTable
  sessions: people.SessionsTable
  user_groups: people.UserGroupsTable
  tokens: people.TokensTable
  channels: trade.ChannelsTable
  prices: trade.PricesTable
  price_schedule: trade.PriceScheduleTable
  price_undo: trade.PriceUndoTable
  price_versions: trade.PriceVersionsTable
  owners: trade.OwnersTable
  options: trade.OptionsTable
  topics: trade.TopicsTable
  logs: trade.LogsTable
  audit: trade.AuditTable
  redemptions: grants.RedemptionsTable
  queued: grants.QueuedTable
  reminders: grants.RemindersTable
  nodes: ledger.NodesTable
  accounts: ledger.AccountsTable
  token_spend: ledger.TokenSpendTable
  holds: ledger.HoldsTable
  transfers: ledger.TransfersTable
  channel_used: ledger.ChannelUsedTable
  limit_marks: ledger.LimitMarksTable
  shortfalls: ledger.ShortfallsTable
  idempotency: ledger.IdempotencyTable
  stored_answers: stored.StoredAnswersTable
  background_calls: stored.BackgroundCallsTable
}
