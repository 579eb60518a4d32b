import { type Ask, noUsage, type Usage } from '@hub/dialects'
import type { Ending, Finish } from '../../billing/held.ts'
import type { App } from '../../core/app.ts'
import type { Exchange } from '../exchange.ts'
import { isId } from '../stored/holder.ts'

/** What an answer is charged by, whoever gives it and however it ends. */
export type Bill = {
  ask: Ask
  billedModel: string
  channelId: number
  notes: readonly string[]
  /** Which account keeps it, by a fingerprint, and the conversation that it belongs to; absent: nobody does. */
  keeper?: { credential: string; conversation: string | undefined } | undefined
}

/** What was delivered, by the gateway's own count. */
export const estimateUsage = (ask: Pick<Ask, 'promptTokens'>, output: number): Usage => {
  const usage = noUsage()
  usage.input = ask.promptTokens
  usage.output = output
  return usage
}

type Told = {
  reported: Usage | 'broken' | undefined
  metered: number
  finish: Finish
  /** As the vendor calls it. */
  answerId?: string | undefined
}

/** More than was asked for may be true, where a vendor thinks aloud and does not count it; somebody should look. */
const isOverLimit = ({ outputMax, n }: Ask, { output, reasoning }: Usage): boolean =>
  outputMax !== undefined && output + reasoning > outputMax * n

/** The upstream's own figures where they can be believed; else what the gateway counted, and an alarm. */
export const makeEnding = (app: App, exchange: Exchange, bill: Bill, told: Told): Ending => {
  const { reported, metered, finish } = told
  const isBelieved = typeof reported === 'object'
  if (!isBelieved && finish === 'complete')
    app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage-broken' : 'usage-missing' })
  if (isBelieved && isOverLimit(bill.ask, reported)) app.metrics.alarms.inc({ kind: 'usage-over' })
  return {
    model: bill.billedModel,
    requestedModel: bill.ask.model,
    channelId: bill.channelId,
    usage: isBelieved ? reported : estimateUsage(bill.ask, metered),
    estimated: !isBelieved,
    finish,
    stream: bill.ask.stream,
    firstByteMs: Math.round((exchange.firstByteAt ?? app.monotonic()) - exchange.startedAt),
    notes: bill.notes,
    ...storedOf(bill, told.answerId),
  }
}

/** What its owner may ask for again. */
const storedOf = ({ keeper }: Bill, answerId: string | undefined): Pick<Ending, 'stored'> => {
  if (!keeper || answerId === undefined) return {}
  const { credential, conversation } = keeper
  const ids = conversation === undefined ? [answerId] : [answerId, conversation]
  return { stored: { ids: ids.filter(isId), credential } }
}
