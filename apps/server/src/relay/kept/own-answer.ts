import { randomBytes } from 'node:crypto'
import type { Ask } from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Place } from '../stored/place.ts'

/**
 * An answer that the gateway keeps itself, or that goes on from one: whatever its vendor calls it, its caller is told
 * our id, which is nobody else's.
 */
export type OwnAnswer = {
  id: string
  /** The kept answer that it goes on from. */
  previous: string | undefined
  /** To be kept, unless something is against it. */
  store: boolean
}

type Asked = { ask: Ask; place: Place; endpoint: Endpoint }

/** Undefined: the vendor keeps it, or nobody does, and it is no affair of ours. */
export const ownAnswerOf = (app: App, { ask, place, endpoint }: Asked): OwnAnswer | undefined => {
  const { state } = ask
  if (!state || place.under !== undefined || state.background) return undefined
  const store = state.store && app.settings().responses.KeepResponsesEnabled
  const { goesOn } = place
  if (!goesOn) {
    const isOthers = endpoint.keeps?.includes('answers') || state.conversation !== undefined
    if (!store || isOthers) return undefined
  }
  return { id: `resp_${randomBytes(24).toString('hex')}`, previous: goesOn?.previous, store }
}
