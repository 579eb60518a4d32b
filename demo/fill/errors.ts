import { type FaultCode, faults, logTypes } from '@hub/contract'
import { insertErrors } from '../../apps/server/src/db/queries/error-logs.ts'
import type { Random } from '../world/random.ts'
import type { PlannedCall } from './calls.ts'
import type { FillHub } from './hub.ts'

type Kind = {
  /** The last one is not a fault: nobody is answered. */
  code: FaultCode | 'caller.left'
  weight: number
  message: string
  /** The vendor's own status, where it answered. */
  status?: number
  ms: number
}

const kinds: readonly Kind[] = [
  {
    code: 'upstream.busy',
    weight: 26,
    message: 'Rate limit reached for requests per minute.',
    status: 429,
    ms: 800,
  },
  { code: 'upstream.timeout', weight: 12, message: '', ms: 60_000 },
  {
    code: 'upstream.failed',
    weight: 14,
    message: 'The server had an error while processing your request.',
    status: 500,
    ms: 2_600,
  },
  { code: 'caller.left', weight: 10, message: '', ms: 9_000 },
  { code: 'quota.exhausted', weight: 9, message: '', ms: 4 },
  { code: 'request.invalid', weight: 8, message: '`max_tokens` must be a whole number.', ms: 2 },
  { code: 'model.unknown', weight: 7, message: 'Model: gpt-4-vision', ms: 2 },
  { code: 'rate.requests', weight: 6, message: '', ms: 2 },
]

export type FailedCall = { call: PlannedCall; channelId: number; channel: string }

const messageOf = ({ code, message }: Kind): string => {
  const [, text = ''] = (faults as Record<string, readonly [number, string]>)[code] ?? []
  return message ? `${text} ${message}` : text
}

const statusOf = ({ code, status }: Kind): number =>
  status ?? (faults as Record<string, readonly [number, string]>)[code]?.[0] ?? 499

const withdrawn: Kind = {
  ...{ code: 'upstream.credential', weight: 0, status: 401, ms: 140 },
  message: 'This API key was withdrawn.',
}

/** Rows of failed calls, in the form in which the relay writes them. */
export const addErrors = async (
  { app }: FillHub,
  random: Random,
  failed: readonly FailedCall[],
  isWithdrawn: (call: FailedCall) => boolean,
): Promise<void> => {
  const rows = failed.map(each => {
    const { call, channelId, channel } = each
    const caller = call.account.callers[call.keyIndex]!
    const kind = isWithdrawn(each) ? withdrawn : random.weighted(kinds, ({ weight }) => weight)
    const isUpstream = kind.code.startsWith('upstream.')
    const milliseconds = random.skewed(kind.ms, 0.3)
    const attempts = isUpstream
      ? [
          {
            channel_id: channelId,
            channel,
            code: kind.code,
            status: kind.status ?? null,
            after: 1,
            milliseconds,
            detail: kind.message,
          },
        ]
      : []
    return {
      ...{ id: app.ledger.nextId(), user_id: caller.userId, created_at: call.at },
      ...{ type: logTypes.error, content: kind.code, username: caller.username },
      ...{ token_name: caller.tokenName, model_name: call.model.name, quota: 0 },
      ...{ prompt_tokens: 0, completion_tokens: 0, channel_id: isUpstream ? channelId : 0 },
      ...{ request_time: milliseconds + 1, is_stream: random.below(2), source_ip: call.account.ip },
      metadata: JSON.stringify({
        ...{ group_name: caller.group, request_id: String(app.ledger.nextId()), operation: 'chat' },
        ...{ path: '/v1/chat/completions', status: statusOf(kind), message: messageOf(kind) },
        ...{ charged: false, attempts, count: 1 },
      }),
    }
  })
  await insertErrors(app.db, rows)
}
