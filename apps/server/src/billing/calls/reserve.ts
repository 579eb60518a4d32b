import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import { unboundedHolds } from '../../db/operations.ts'
import type { OpenHold, Reservation } from '../open-hold.ts'
import { boundedTools } from '../prices/held-tools.ts'
import { defaultOutput, makeQuote, type Quote } from '../quote.ts'
import { openWhenFree } from './holds/held-waits.ts'
import { growHold, trackHold } from './settle.ts'
import { exhaustedFigures, isExhausted, isHeld, openHold, submitHold } from './submit-hold.ts'

// The hold covers what the gateway cannot stop: a whole answer, and reasoning that a stream does not show. Where balance
// and cap cover less, the vendor is sent the limit that they cover, unless the caller named one.

/**
 * Opens the first hold that balance and cap cover, and waits for other holds of the payer that alone keep it out. Rejects
 * with the reason of the last refusal.
 */
export const reserve = (app: App, call: Call, reservation: Reservation): Promise<OpenHold> => {
  const quotes = listQuotes(app, call, reservation)
  const [only] = quotes
  const open = () =>
    quotes.length === 1 && reservation.outputBound === undefined
      ? openHold(app, call, only!, reservation.idempotency)
      : openFirst(app, call, reservation, quotes)
  return reservation.isRefusedAtOnce ? open() : openWhenFree(app, call, open)
}

/** A quote whose hold takes up to `growth` further points, and limits the answer to what they cover. */
type GrowingQuote = Quote & {
  growth?: number
  /** It covers only the tools whose number has a bound. */
  isWithoutUnbounded?: true
}

/** Quotes for the usual calls of tools, and then for none of those that nothing bounds, as the payer's only call. */
const listQuotes = (app: App, call: Call, reservation: Reservation): GrowingQuote[] => {
  const quotes = listOutputs(app, call, reservation)
  if (!reservation.tools || reservation.tools.unbounded.length === 0) return quotes
  const bounded = listOutputs(app, call, withBoundedTools(reservation))
  if (bounded[0]!.amount === quotes[0]!.amount) return quotes
  const alone = { unbounded: unboundedHolds.alone, isWithoutUnbounded: true } as const
  return [
    ...quotes.map(each => ({ unbounded: unboundedHolds.assumed, ...each })),
    ...bounded.map(each => ({ ...each, ...alone })),
  ]
}

const withBoundedTools = (reservation: Reservation): Reservation => ({
  ...reservation,
  tools: boundedTools(reservation.tools),
})

const listOutputs = (app: App, call: Call, reservation: Reservation): GrowingQuote[] => {
  const { assumedTokens = 0, promptTokens, outputBound, outputMax, n } = reservation
  const unseen = outputBound?.unseen
  const quoteOf = (heldOutput: number | undefined, assumed: number): Quote => ({
    ...makeQuote(app, call, {
      ...reservation,
      promptTokens: promptTokens + assumed,
      ...(heldOutput === undefined ? {} : { heldOutput }),
    }),
    outputMost: outputBound && outputBound.most * n,
  })
  const known = quoteOf(unseen, 0)
  const assumed = assumedTokens > 0 ? quoteOf(unseen, assumedTokens) : known
  // Tokens cost nothing at a price per call.
  const isAssumed = assumed.amount !== known.amount
  const alone = isAssumed ? { unbounded: unboundedHolds.alone } : {}
  const quotes: GrowingQuote[] = [
    ...(isAssumed ? [{ ...assumed, unbounded: unboundedHolds.assumed }] : []),
    { ...known, ...alone },
  ]
  if (!outputBound || unseen === undefined) return quotes
  const hidden =
    outputBound.reasoning > 0 ? known.amount - quoteOf(unseen - outputBound.reasoning, 0).amount : 0
  for (const quote of quotes) quote.hidden = hidden
  const isNamed = outputMax !== undefined
  const least = quoteOf(Math.min(unseen, isNamed ? defaultOutput : outputBound.least), 0)
  if (least.amount === known.amount) return quotes
  if (!isNamed) quotes.push({ ...least, ...alone, growth: known.amount - least.amount })
  // The limit of the caller stands, so that nothing bounds what the balance does not cover.
  else if (reservation.stream) quotes.push({ ...least, unbounded: unboundedHolds.alone })
  return quotes
}

const openFirst = async (
  app: App,
  call: Call,
  reservation: Reservation,
  quotes: readonly GrowingQuote[],
): Promise<OpenHold> => {
  let refusal: Fault | undefined
  for (const quote of quotes)
    try {
      if (quote.growth === undefined) return await openQuoted(app, call, reservation, quote)
      const { isWithoutUnbounded, ...covered } = quote
      const own = isWithoutUnbounded ? withBoundedTools(reservation) : reservation
      return await openCovered(app, call, own, covered)
    } catch (error) {
      if (!(isExhausted(error) || isHeld(error))) throw error
      refusal = error
    }
  throw await explain(app, call, reservation, { refusal: refusal!, quotes })
}

const openQuoted = async (
  app: App,
  call: Call,
  { idempotency }: Reservation,
  quote: Quote,
): Promise<OpenHold> => {
  await submitHold(app, call, quote, idempotency)
  return trackHold(app, call, quote)
}

/** Holds the smallest answer, then what else is covered, and limits the answer to both. */
const openCovered = async (
  app: App,
  call: Call,
  reservation: Reservation,
  { growth = 0, ...quote }: GrowingQuote,
): Promise<OpenHold> => {
  await submitHold(app, call, quote, reservation.idempotency)
  const amount = quote.amount + (await growHold(app, call, quote, growth))
  const outputLimit = coveredOutput(app, call, reservation, amount)
  const outputMost = outputLimit * reservation.n
  return trackHold(app, call, { ...quote, amount, outputLimit, outputMost })
}

/** The longest answer, in output tokens, that costs at most `amount`. */
const coveredOutput = (app: App, call: Call, reservation: Reservation, amount: number): number => {
  const { outputBound } = reservation
  return mostCovered(
    outputBound?.most ?? 0,
    heldOutput => makeQuote(app, call, { ...reservation, heldOutput }).amount <= amount,
  )
}

/** The most calls of its tools that cost at most `amount` with everything else. */
const coveredCalls = (app: App, call: Call, reservation: Reservation, amount: number): number => {
  const { tools } = reservation
  const most = tools?.callsMax ?? Math.max(0, ...Object.values(tools?.calls ?? {}))
  return mostCovered(most, callsMax => {
    const fewer = { ...reservation, tools: tools && { ...tools, callsMax } }
    return makeQuote(app, call, fewer).amount <= amount
  })
}

/** The largest number up to `most` that is covered; 0 where none is. */
const mostCovered = (largest: number, isCovered: (count: number) => boolean): number => {
  let least = 0
  let most = largest
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (isCovered(middle)) least = middle
    else most = middle - 1
  }
  return least
}

type RefusedQuotes = { refusal: Fault; quotes: readonly Quote[] }

/** Tells the caller which limit would be served, and the log row what was needed. */
const explain = async (
  app: App,
  call: Call,
  reservation: Reservation,
  { refusal, quotes }: RefusedQuotes,
): Promise<Fault> => {
  if (!isExhausted(refusal)) return refusal
  const data = await exhaustedFigures(app, call, quotes)
  // The last quote is for these tools.
  const least = withBoundedTools(reservation)
  const covered = least.outputBound && coveredOutput(app, call, least, data.available)
  const calls = covered || !least.tools ? 0 : coveredCalls(app, call, least, data.available)
  if (calls > 0) {
    const hint = `It covers ${calls} calls of the tools of this request: name a lower limit of calls (max_tool_calls, max_uses), or top up.`
    return new Fault(refusal.code, { hint, data, cause: refusal })
  }
  if (!covered) return new Fault(refusal.code, { data, cause: refusal })
  const hint = `It covers ${covered} output tokens after this prompt: name this or a lower output limit, or top up.`
  return new Fault(refusal.code, { hint, data })
}
