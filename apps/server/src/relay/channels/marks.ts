import { type FormatId, markNeedles, type StateFilter } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'

const digits = 8

/** The mark of this installation, the same on every node, and its forms in the requests of each dialect. */
const marksOf = appScoped(app => {
  const digest = Buffer.from(app.seal.fingerprint('answer-mark', 'v1'), 'hex').toString('base64')
  const mark = digest.replace(/[^A-Za-z0-9]/g, '').slice(0, digits)
  return { mark, needles: new Map<FormatId, readonly Buffer[]>() }
})

export const markOf = (app: App): string => marksOf(app).mark

/** Says whether a request may have something that the gateway invented. Most sessions stay at one vendor. */
export const isMarked = (app: App, body: Buffer, dialect: FormatId): boolean => {
  const { mark, needles } = marksOf(app)
  const known = needles.get(dialect)
  if (known) return known.some(each => body.includes(each))
  needles.set(
    dialect,
    markNeedles(mark, dialect).map(each => Buffer.from(each)),
  )
  return isMarked(app, body, dialect)
}

/** The gateway’s inventions are left out of a request to a vendor of the caller's own dialect. */
export const inventedState = (app: App, dialect: FormatId, model: string): StateFilter => {
  const { mark } = marksOf(app)
  const needles = markNeedles(mark, dialect)
  return {
    isForeign: text => needles.some(each => text.includes(each)),
    restore: text => text.replace(mark, ''),
    keepsTexts: false,
    model,
  }
}
