import type { Caller, ClientResponse, Exception, Feature, Mode, Vendor } from './cell.ts'
import { exceptions } from './exceptions/index.ts'
import type { NeutralRequest, NeutralResponse, Piece, Turn } from './neutral.ts'

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

/** The turns of a conversation that goes on at another vendor, as far as both must have them. */
export const movedTurns = (
  { upstreamRequest, upstreamResponse }: Pick<Expected, 'upstreamRequest' | 'upstreamResponse'>,
  next: readonly Turn[],
): Turn[] => {
  const pieces = (upstreamResponse.pieces ?? []).filter(piece => !('thinking' in piece))
  return [
    ...upstreamRequest.turns,
    { from: 'model', pieces: pieces.map(withoutSignature) },
    ...next,
  ]
}

const withoutSignature = (piece: Piece): Piece => {
  const { signature: _, ...rest } = piece as Piece & { signature?: string }
  return rest as Piece
}

/**
 * The turns that another vendor got, to be compared with `movedTurns`. It may read what was thought. Servers of Chat pass
 * signatures of any vendor on; nobody else takes those of others.
 */
export const comparableTurns = (turns: readonly Turn[], { dialect }: Vendor): Turn[] => {
  const isLenient = dialect === 'openai-chat'
  const isThought = (piece: Piece) => 'thinking' in piece && (isLenient || !piece.signature)
  return turns.map(({ from, pieces }) => {
    const rest = pieces.filter(piece => !isThought(piece))
    return { from, pieces: isLenient ? rest.map(withoutSignature) : rest }
  })
}
