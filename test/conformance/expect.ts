import type { Caller, ClientResponse, Exception, Feature, Mode, Vendor } from './cell.ts'
import { exceptions } from './exceptions/index.ts'
import type { NeutralRequest, NeutralResponse } from './neutral.ts'

/** The expected result of a cell, for each turn: upstream request, upstream response, received response. */
export type Expected = {
  applied: readonly Exception[]
  upstreamRequest: NeutralRequest
  upstreamResponse: NeutralResponse
  received: Partial<ClientResponse>
  /** The upstream request of the second turn. */
  nextUpstreamRequest?: NeutralRequest
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
  const upstreamRequest = merged(
    { ...feature.request, ...caller.additions?.facts(feature.request) },
    applied.map(each => each.upstreamRequest),
  )
  const upstreamResponse = merged(
    feature.response,
    applied.map(each => each.upstreamResponse),
  )
  const received = merged<Partial<ClientResponse>>(upstreamResponse, [
    feature.received,
    ...applied.map(each => each.received),
  ])
  if (!feature.next) return { applied, upstreamRequest, upstreamResponse, received }
  const returnedPieces =
    applied.findLast(each => each.returnedPieces)?.returnedPieces ?? upstreamResponse.pieces ?? []
  const turns = [
    ...upstreamRequest.turns,
    ...(returnedPieces.length > 0 ? [{ from: 'model' as const, pieces: returnedPieces }] : []),
    ...feature.next.turns,
  ]
  return {
    applied,
    upstreamRequest,
    upstreamResponse,
    received,
    nextUpstreamRequest: { ...upstreamRequest, turns },
  }
}
