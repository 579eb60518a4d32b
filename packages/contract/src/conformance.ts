import { z } from 'zod'
import { get, Nothing, resource } from './resource.ts'

/** What became of one feature between a caller and an upstream. */
const Cell = z.object({
  state: z.enum(['ok', 'note', 'refused']).meta({
    description:
      'ok: everything arrives, with a reason where it is told in another way. note: something is lost, and the log row of ' +
      'the call says so. refused: a clear error says so.',
  }),
  why: z.string().optional(),
  source: z.string().optional().meta({ description: 'The document that the reason stands in.' }),
})
export type ConformanceCell = z.output<typeof Cell>

const Caller = z.object({
  id: z.string(),
  client: z
    .string()
    .meta({ description: 'The package that asked; several are separated by commas.' }),
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

/** The grid that the conformance run wrote: every caller, every upstream, every feature. */
export const Conformance = z.object({
  at: z.iso.datetime(),
  versions: z.record(z.string(), z.string()).meta({ description: 'Of the clients, by package.' }),
  callers: z.array(Caller),
  upstreams: z.array(z.object({ dialect: z.string() })),
  features: z.array(Feature),
  counts: z.object({ ok: z.number(), note: z.number(), refused: z.number() }),
})
export type Conformance = z.output<typeof Conformance>

export const conformance = resource('/api', {
  get: get('/conformance', {
    access: 'public',
    input: Nothing,
    reply: Conformance,
    summary: 'What arrives between each caller dialect and each upstream dialect, as it was tested',
  }),
})
