import type { Caller, Exception, Feature, Heard, Mode, Vendor } from './cell.ts'
import { exceptions } from './exceptions.ts'
import type { Asks, Says } from './facts.ts'

/** What must happen in a cell: what the vendor is asked and answers, what the caller hears, for each turn. */
export type Expected = {
  applied: readonly Exception[]
  asked: Asks
  answered: Says
  heard: Partial<Heard>
  /** Of the second turn. */
  askedNext?: Asks
}

export const exceptionsOf = (
  feature: Feature,
  caller: Pick<Caller, 'dialect'>,
  vendor: Pick<Vendor, 'dialect'>,
  mode: Mode,
): Exception[] =>
  exceptions.filter(
    each =>
      each.features.includes(feature.name) &&
      (each.callers ?? [caller.dialect]).includes(caller.dialect) &&
      (each.upstreams ?? [vendor.dialect]).includes(vendor.dialect) &&
      (each.how === 'otherwise' || caller.dialect !== vendor.dialect) &&
      (each.mode ?? mode) === mode,
  )

export const expectedOf = (
  feature: Feature,
  caller: Caller,
  vendor: Vendor,
  mode: Mode,
): Expected => {
  const applied = exceptionsOf(feature, caller, vendor, mode)
  const merged = <T extends object>(facts: T, changes: (Partial<T> | undefined)[]): T =>
    Object.assign({}, facts, ...changes)
  const asked = merged(
    { ...feature.asks, ...caller.unasked?.facts(feature.asks) },
    applied.map(each => each.asked),
  )
  const answered = merged(
    feature.says,
    applied.map(each => each.answered),
  )
  const heard = merged<Partial<Heard>>(answered, [
    feature.hears,
    ...applied.map(each => each.heard),
  ])
  if (!feature.next) return { applied, asked, answered, heard }
  const goesBack = applied.findLast(each => each.goesBack)?.goesBack ?? answered.pieces ?? []
  const turns = [
    ...asked.turns,
    ...(goesBack.length > 0 ? [{ from: 'model' as const, pieces: goesBack }] : []),
    ...feature.next.turns,
  ]
  return { applied, asked, answered, heard, askedNext: { ...asked, turns } }
}
