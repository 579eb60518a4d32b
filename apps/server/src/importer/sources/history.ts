import type { HistoryKind, HistoryRow } from '../gateway-data.ts'
import type { SourceRow } from './source-database.ts'
import { flagOf, idOf, integerOf, jsonOf, textOf } from './values.ts'

/** The types of log rows that One Hub, New API and One API have in common. */
const kinds: Readonly<Record<number, HistoryKind>> = {
  1: 'topUp',
  2: 'consume',
  3: 'manage',
  4: 'system',
}

/** Reads a log row without what each gateway stores in its own way. Undefined: a type that has no meaning here. */
export const commonLogFields = (row: SourceRow): HistoryRow | undefined => {
  const kind = kinds[integerOf(row, 'type')]
  if (!kind) return undefined
  return {
    ...{ kind, id: idOf(row, 'id'), metadata: {}, milliseconds: 0, ip: '' },
    userId: idOf(row, 'user_id'),
    createdAt: integerOf(row, 'created_at'),
    content: textOf(row, 'content'),
    username: textOf(row, 'username'),
    tokenName: textOf(row, 'token_name'),
    modelName: textOf(row, 'model_name'),
    quota: integerOf(row, 'quota'),
    promptTokens: integerOf(row, 'prompt_tokens'),
    completionTokens: integerOf(row, 'completion_tokens'),
    channelId: idOf(row, 'channel_id'),
    isStream: flagOf(row, 'is_stream'),
  }
}

type OrderFields = { createdAt: number; quota: number; content: string }

/** An order becomes a row of the log, because no vendor of this gateway knows it. */
export const orderRow = (
  row: SourceRow,
  { createdAt, quota, content }: OrderFields,
  metadata: HistoryRow['metadata'],
): HistoryRow => ({
  ...{ kind: 'order', id: idOf(row, 'id'), userId: idOf(row, 'user_id') },
  ...{ createdAt, quota, content, metadata, username: '', tokenName: '', modelName: '' },
  ...{ promptTokens: 0, completionTokens: 0, channelId: 0, milliseconds: 0, isStream: false },
  ip: '',
})

/** The texts and numbers of a JSON column, by name. */
export const flatJsonOf = (row: SourceRow, column: string): HistoryRow['metadata'] => {
  const value = jsonOf(row, column)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).filter(
      (each): each is [string, string | number] =>
        (typeof each[1] === 'string' && each[1] !== '') || typeof each[1] === 'number',
    ),
  )
}
