import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect, StreamObserver } from './dialect.ts'
import {
  checkMalformed,
  checkReply,
  checkRequest,
  checkStream,
  cutAt as cutAtFractions,
  cutPositions,
  everyCut,
  malformedCases,
  type RoundTripCases,
  streamedReplies,
} from './generate/round-trip.ts'

/** What a dialect brings: a request it reads, and a stream as its upstreams send it. */
export type PassThroughSamples = { request: Buffer; stream: Buffer }

/** Number of generated requests, replies and streams. */
const caseCount = Number(process.env.HUB_ROUND_TRIP_CASES ?? 1_000)
/** Number of streams that are cut at every byte; the soak test raises it. */
const cutStreamCount = Number(process.env.SOAK_STREAMS ?? 3)

/** Encoding and decoding again loses nothing. A failing run prints its seed, which HUB_SEED repeats. */
export const testRoundTrips = (dialect: Dialect, cases: RoundTripCases) =>
  describe(`${dialect.id} round trips`, () => {
    it(`${caseCount} generated requests survive encoding and decoding`, () =>
      fc.assert(
        fc.property(cases.requests, request => checkRequest(dialect, request)),
        { numRuns: caseCount },
      ))

    it(`${caseCount} generated replies and streams survive encoding and decoding`, () =>
      fc.assert(
        fc.property(streamedReplies(cases.replies), cutPositions, (streamed, positions) => {
          checkReply(dialect, streamed.reply, cases.options)
          checkStream(dialect, cases, streamed, bytes => [cutAtFractions(bytes, positions)])
        }),
        { numRuns: caseCount },
      ))

    it(`${cutStreamCount} generated streams mean the same, cut at any byte`, () =>
      fc.assert(
        fc.property(streamedReplies(cases.replies), streamed =>
          checkStream(dialect, cases, streamed, everyCut),
        ),
        { numRuns: cutStreamCount },
      ))
  })

/** Decoders never throw for malformed input, and encoders never throw for what decoders return. */
export const testMalformedInput = (
  dialect: Dialect,
  targets: readonly Dialect[],
  cases: RoundTripCases,
) =>
  it(`${dialect.id}: ${caseCount} requests, replies and streams with malformed values throw nothing`, () =>
    fc.assert(
      fc.property(malformedCases(dialect, cases), malformed =>
        checkMalformed(dialect, targets, malformed),
      ),
      { numRuns: caseCount },
    ))

const checks = { numRuns: 200, verbose: 1 as const }

/** The suite every dialect must pass. A failing run prints its seed and path, which `checks` takes to repeat it. */
export const testPassThrough = (dialect: Dialect, say: PassThroughSamples) =>
  describe(`${dialect.id} keeps the laws`, () => {
    const asked = dialect.read(say.request)
    if (!asked.ok) throw new Error(`the request of the laws is not read: ${asked.hint}`)
    const { parsed: ask } = asked

    it('changing nothing gives the same buffer', () => {
      expect(dialect.splice(ask, {})).toBe(say.request)
      expect(dialect.splice(ask, { model: ask.model })).toBe(say.request)
    })

    it('a spliced body means the edits, and is the same bytes elsewhere', () => {
      const keys = [...ask.fieldRanges.keys(), 'new-one', 'neu"é']
      const edits = fc.dictionary(
        fc.constantFrom(...keys),
        fc.oneof(fc.constant(undefined), fc.jsonValue()),
      )
      fc.assert(
        fc.property(edits, given => {
          const spliced = dialect.splice(ask, given)
          const expected = { ...JSON.parse(String(say.request)), ...given }
          expect(JSON.parse(String(spliced))).toEqual(JSON.parse(JSON.stringify(expected)))
          for (const [key, place] of ask.fieldRanges)
            if (!Object.hasOwn(given, key))
              expect(spliced.includes(say.request.subarray(place.keyStart, place.end))).toBe(true)
        }),
        checks,
      )
    })

    for (const wantsUsage of [true, false])
      it(`a stream cut in two at any byte is the same stream (asked for usage: ${wantsUsage})`, () => {
        const whole = hear(dialect.observeStream({ ...ask, wantsUsage }), [say.stream])
        expect(whole.closed).toBe(true)
        for (let at = 0; at <= say.stream.length; at += 1) {
          const cut = [say.stream.subarray(0, at), say.stream.subarray(at)]
          expect(hear(dialect.observeStream({ ...ask, wantsUsage }), cut)).toEqual(whole)
        }
      })

    it('a stream cut anyhow is the same stream', () => {
      const whole = hear(dialect.observeStream(ask), [say.stream])
      fc.assert(
        fc.property(fc.array(fc.nat(say.stream.length), { maxLength: 40 }), at => {
          expect(hear(dialect.observeStream(ask), cutAt(say.stream, at))).toEqual(whole)
        }),
        checks,
      )
      const bytes = [...say.stream].map(byte => Buffer.from([byte]))
      expect(hear(dialect.observeStream(ask), bytes)).toEqual(whole)
    })

    it('whatever comes, nothing throws, and what goes on is whole frames', () => {
      const bytes = fc.uint8Array({ maxLength: 300 }).map(each => Buffer.from(each))
      const noise = fc.constantFrom(
        ...['data: ', '{', '}', '\n', '\r', '\r\n\r\n', ': x\n', '[DONE]', '\uFEFF', '"usage":'],
      )
      const piece = fc.oneof(
        bytes,
        noise.map(each => Buffer.from(each)),
      )
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 30 }), chunks => {
          const split = hear(dialect.observeStream(ask), chunks)
          expect(split).toEqual(hear(dialect.observeStream(ask), [Buffer.concat(chunks)]))
        }),
        checks,
      )
    })
  })

/** Line ends of the last frame apart: what follows the closing frame is not awaited. */
const hear = (tap: StreamObserver, chunks: readonly Buffer[]) => {
  const out: Buffer[] = []
  for (const chunk of chunks) out.push(...tap.push(chunk))
  tap.end?.()
  return {
    out: String(Buffer.concat(out)),
    tail: String(tap.tail()).trimEnd(),
    closed: tap.isClosed(),
    usage: tap.usage(),
    metered: tap.meteredTokens(),
    garbage: tap.malformedFrames(),
    failure: tap.failure(),
  }
}

const cutAt = (bytes: Buffer, fieldRanges: readonly number[]): Buffer[] => {
  const sorted = [0, ...fieldRanges.toSorted((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}
