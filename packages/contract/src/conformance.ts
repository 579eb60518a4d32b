import { z } from 'zod'
import { get, NoInput, resource } from './resource.ts'

/** The test result of one feature between a caller and an upstream. */
const Cell = z.object({
  state: z.enum(['ok', 'note', 'refused']).meta({
    description:
      'ok: everything arrives, with a reason if it is expressed differently. note: something is lost, and the log row of the ' +
      'call has a warning. refused: the request fails with a clear error.',
  }),
  why: z.string().optional(),
  source: z.string().optional().meta({ description: 'The document that gives the reason.' }),
})
export type ConformanceCell = z.output<typeof Cell>

const Caller = z.object({
  id: z.string(),
  client: z.string().meta({ description: 'The client package; several are separated by commas.' }),
  dialect: z.string(),
})
export type ConformanceCaller = z.output<typeof Caller>

const Feature = z.object({
  name: z.string(),
  title: z.string(),
  group: z.string(),
  cells: z.record(z.string(), Cell).meta({ description: 'By `caller>upstream`.' }),
})
export type ConformanceFeature = z.output<typeof Feature>

const Proof = z.object({
  type: z.number().meta({ description: 'The channel type.' }),
  name: z.string(),
  notice: z.string().meta({ description: 'The end of the vendor’s service, if it was announced.' }),
  operations: z.array(
    z.object({
      operation: z.string(),
      formats: z.array(z.string()),
      sources: z.array(z.string()).meta({
        description: 'Documents by which it is tested. Empty: unproven, since the vendor has none.',
      }),
    }),
  ),
})
/** The operations that a channel type serves, and the documents that prove them. */
export type ProviderProof = z.output<typeof Proof>
export const ProviderProofs = z.array(Proof)

/** The results of a conformance run: every caller, every upstream, every feature. */
export const ConformanceRun = z.object({
  at: z.iso.datetime(),
  versions: z
    .record(z.string(), z.string())
    .meta({ description: 'Versions of the clients, by package.' }),
  callers: z.array(Caller),
  upstreams: z.array(z.object({ dialect: z.string() })),
  features: z.array(Feature),
  counts: z.object({ ok: z.number(), note: z.number(), refused: z.number() }),
})
export type ConformanceRun = z.output<typeof ConformanceRun>

export const Conformance = ConformanceRun.extend({ providers: ProviderProofs })
export type Conformance = z.output<typeof Conformance>

export const conformance = resource('/api', {
  get: get('/conformance', {
    access: 'public',
    input: NoInput,
    response: Conformance,
    summary: 'Tested results for each pair of caller dialect and upstream dialect',
  }),
})
