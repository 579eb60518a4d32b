import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect, StreamObserver } from './dialect.ts'
import {
  checkAnswer,
  checkMalformed,
  checkRequest,
  checkStream,
  cutAt as cutAtFractions,
  cutPositions,
  everyCut,
  malformedCases,
  type RoundTripCases,
  streamedAnswers,
} from './generate/round-trip.ts'
import type { ParsedRequest } from './parsed-request.ts'

/** A request that the dialect reads, and a stream as its upstreams send it. */
export type PassThroughSamples = { request: Buffer; stream: Buffer }

/** Number of generated requests, answers and streams; `npm run test:long` raises it to 5,000. */
const caseCount = Number(process.env.HUB_ROUND_TRIP_CASES ?? 500)
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

    it(`${caseCount} generated answers and streams survive encoding and decoding`, () =>
      fc.assert(
        fc.property(streamedAnswers(cases.answers), cutPositions, (streamed, positions) => {
          checkAnswer(dialect, streamed.answer, cases.options)
          checkStream(dialect, cases, streamed, bytes => [cutAtFractions(bytes, positions)])
        }),
        { numRuns: caseCount },
      ))

    it(`${cutStreamCount} generated streams mean the same, cut at any byte`, () =>
      fc.assert(
        fc.property(streamedAnswers(cases.answers), streamed =>
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
  it(`${dialect.id}: ${caseCount} requests, answers and streams with malformed values throw nothing`, () =>
    fc.assert(
      fc.property(malformedCases(dialect, cases), malformed =>
        checkMalformed(dialect, targets, malformed),
      ),
      { numRuns: caseCount },
    ))

const checks = { numRuns: 200, verbose: 1 as const }

/** Checks the pass-through half of a dialect. A failing run prints its seed and path, which `checks` takes to repeat it. */
export const testPassThrough = (dialect: Dialect, samples: PassThroughSamples) =>
  describe(`${dialect.id} passes requests and streams through`, () => {
    const read = dialect.read(samples.request)
    if (!read.ok) throw new Error(`the sample request is not valid: ${read.hint}`)
    testSplice(dialect, samples, read.parsed)
    testStreamObserver(dialect, samples, read.parsed)
  })

const testSplice = (dialect: Dialect, { request }: PassThroughSamples, parsed: ParsedRequest) => {
  it('an edit without changes returns the same buffer', () => {
    expect(dialect.splice(parsed, {})).toBe(request)
    expect(dialect.splice(parsed, { model: parsed.model })).toBe(request)
  })

  it('a spliced body has the edited fields, and the same bytes elsewhere', () => {
    const keys = [...parsed.fieldRanges.keys(), 'new-one', 'neu"é']
    const edits = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(fc.constant(undefined), fc.jsonValue()),
    )
    fc.assert(
      fc.property(edits, given => {
        const spliced = dialect.splice(parsed, given)
        const expected = { ...JSON.parse(String(request)), ...given }
        expect(JSON.parse(String(spliced))).toEqual(JSON.parse(JSON.stringify(expected)))
        for (const [key, range] of parsed.fieldRanges)
          if (!Object.hasOwn(given, key))
            expect(spliced.includes(request.subarray(range.keyStart, range.end))).toBe(true)
      }),
      checks,
    )
  })
}

const testStreamObserver = (
  dialect: Dialect,
  { stream }: PassThroughSamples,
  parsed: ParsedRequest,
) => {
  const observe = (chunks: readonly Buffer[], wantsUsage = parsed.wantsUsage) =>
    observeAll(dialect.observeStream({ ...parsed, wantsUsage }), chunks)

  for (const wantsUsage of [true, false])
    it(`a stream cut in two at any byte is the same stream (usage requested: ${wantsUsage})`, () => {
      const whole = observe([stream], wantsUsage)
      expect(whole.isClosed).toBe(true)
      for (let at = 0; at <= stream.length; at += 1) {
        const cut = [stream.subarray(0, at), stream.subarray(at)]
        expect(observe(cut, wantsUsage)).toEqual(whole)
      }
    })

  it('a stream cut at random positions is the same stream', () => {
    const whole = observe([stream])
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 40 }), positions => {
        expect(observe(cutAt(stream, positions))).toEqual(whole)
      }),
      checks,
    )
    const bytes = [...stream].map(byte => Buffer.from([byte]))
    expect(observe(bytes)).toEqual(whole)
  })

  it('any input throws nothing, and only whole frames are forwarded', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map(each => Buffer.from(each))
    const fragments = fc.constantFrom(
      ...['data: ', '{', '}', '\n', '\r', '\r\n\r\n', ': x\n', '[DONE]', '\uFEFF', '"usage":'],
    )
    const piece = fc.oneof(
      bytes,
      fragments.map(each => Buffer.from(each)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), chunks => {
        expect(observe(chunks)).toEqual(observe([Buffer.concat(chunks)]))
      }),
      checks,
    )
  })
}

/** Ignores the line ends of the closing frame, because the observer does not wait for them. */
const observeAll = (observer: StreamObserver, chunks: readonly Buffer[]) => {
  const out: Buffer[] = []
  for (const chunk of chunks) out.push(...observer.push(chunk))
  observer.end?.()
  return {
    out: String(Buffer.concat(out)),
    tail: String(observer.tail()).trimEnd(),
    isClosed: observer.isClosed(),
    usage: observer.usage(),
    meteredTokens: observer.meteredTokens(),
    malformedFrames: observer.malformedFrames(),
    failure: observer.failure(),
  }
}

const cutAt = (bytes: Buffer, positions: readonly number[]): Buffer[] => {
  const sorted = [0, ...positions.toSorted((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}
