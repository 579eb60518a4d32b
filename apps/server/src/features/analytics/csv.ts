import type { AnalyticsDay, ComparedUser } from '@hub/contract'
import { csvOf } from '../../lib/csv.ts'

export const seriesCsv = (rows: readonly AnalyticsDay[]): string =>
  csvOf(
    [
      'Date',
      'Name',
      'Requests',
      'Points',
      'Prompt Tokens',
      'Completion Tokens',
      'Request Time (ms)',
    ],
    rows.map(each => [
      ...[each.Date, each.Channel, each.RequestCount, each.Quota],
      ...[each.PromptTokens, each.CompletionTokens, each.RequestTime],
    ]),
  )

/** The columns of One Hub's file. */
export const comparedCsv = (rows: readonly ComparedUser[]): string =>
  csvOf(
    [
      'Username',
      'Request Count',
      'Quota',
      'Prompt Tokens',
      'Completion Tokens',
      'Request Time (ms)',
    ],
    rows.map(each => [
      ...[each.username, each.request_count, each.quota],
      ...[each.prompt_tokens, each.completion_tokens, each.request_time],
    ]),
  )
