import { z } from 'zod'
import { readCandidateParameters } from './parameter-rules.ts'
import {
  del,
  get,
  Id,
  ListQuery,
  NoData,
  orderQuery,
  pageOf,
  patchOf,
  post,
  put,
  resource,
  rowFields,
  Seconds,
} from './resource.ts'

/** A condition on a part that a request has or lacks. */
export const partConditions = ['any', 'with', 'without'] as const
const PartCondition = z.enum(partConditions)

/** How much a candidate is to think where the request does not say; empty: as the request says. */
export const candidateEfforts = [
  '',
  'on',
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
] as const

const Parameters = z
  .string()
  .max(10_000)
  .superRefine((text, context) => {
    const [issue] = readCandidateParameters(text).error?.issues ?? []
    if (issue)
      context.addIssue(
        `is no JSON object of fields and rules: ${issue.path.join('.')} ${issue.message}`,
      )
  })

const Tokens = z.number().int().min(0).max(100_000_000)

/** A time of day of the site's time zone, `HH:MM`; empty: none. */
const TimeOfDay = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, 'must be a time such as 08:30')

const GroupSymbol = z.string().trim().max(50)

/** A model that may serve the calls of a virtual model, and the requests that it takes. */
export const VirtualCandidate = z
  .object({
    model: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^[^*#,]+$/, 'must be the name of one model'),
    /** The group whose channels serve it, at that group's prices. Empty: the caller's own, then its backup group. */
    group: GroupSymbol.default(''),
    /** Candidates of a higher tier serve only where none of a lower one did. */
    tier: z.number().int().min(1).max(20).default(1),
    /** The share of the calls within the tier. */
    weight: z.number().int().min(1).max(10_000).default(1),
    /** Bounds of the estimated prompt, both included. Null: none. */
    min_tokens: Tokens.nullable().default(null),
    max_tokens: Tokens.nullable().default(null),
    tools: PartCondition.default('any'),
    images: PartCondition.default('any'),
    /** From this minute on, and before `until`; past midnight where `until` is earlier. */
    from: TimeOfDay.default(''),
    until: TimeOfDay.default(''),
    effort: z.enum(candidateEfforts).default(''),
    /** JSON text of fields that are set in its requests, and of `rules` that change them under conditions. */
    parameters: Parameters.default(''),
  })
  .refine(
    ({ min_tokens: min, max_tokens: max }) => min === null || max === null || min <= max,
    '`max_tokens` must not be below `min_tokens`',
  )
  .refine(
    ({ from, until }) => (from === '') === (until === '') && (from === '' || from !== until),
    '`from` and `until` must be two different times, or both be empty',
  )
export type VirtualCandidate = z.output<typeof VirtualCandidate>

const groups = z
  .array(GroupSymbol.min(1))
  .min(1)
  .max(100)
  .refine(all => new Set(all).size === all.length, 'names a group twice')
const candidates = z.array(VirtualCandidate).min(1).max(20)

export const NewVirtualModel = z.object({
  /** The name that callers use. It cannot be changed. */
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][\w.:/@-]{0,99}$/, 'letters, digits and _ . : / @ - only'),
  enable: z.boolean().default(true),
  /** The user groups that may call it. */
  groups: groups.default(['default']),
  candidates,
})
export const VirtualModelPatch = patchOf(NewVirtualModel.omit({ name: true })).extend({
  id: z.number().int().positive(),
})

export const VirtualModel = z.object({
  id: z.number(),
  name: z.string(),
  enable: z.boolean(),
  groups: z.array(z.string()),
  candidates: z.array(VirtualCandidate),
  /** Each save counts it up. */
  version: z.number(),
  updated_at: Seconds,
})
export type VirtualModel = z.output<typeof VirtualModel>

/** The virtual model as one save left it, and who saved it. */
export const VirtualModelVersion = z.object({
  version: z.number(),
  enable: z.boolean(),
  groups: z.array(z.string()),
  candidates: z.array(VirtualCandidate),
  created_at: Seconds,
  actor_name: z.string(),
  /** The version that was restored by this save. */
  restored_version: z.number().nullable(),
})
export type VirtualModelVersion = z.output<typeof VirtualModelVersion>

/** Why a candidate does not serve a request. The first four are its conditions. */
export const candidateReasons = [
  'tokens',
  'tools',
  'images',
  'time',
  'no_channel',
  'no_price',
  'refused',
] as const
export const CandidateReason = z.enum(candidateReasons)
export type CandidateReason = z.output<typeof CandidateReason>

/** A request that is compared with the conditions of candidates, without calling anybody. */
export const CandidatePreview = z.object({
  candidates,
  /** The caller's group. */
  group: GroupSymbol.min(1).default('default'),
  tokens: Tokens.default(0),
  tools: z.boolean().default(false),
  images: z.boolean().default(false),
  /** Null: now. */
  at: Seconds.min(0).max(10_000_000_000).nullable().default(null),
})

/** A candidate in the order in which a call asks them. Those that do not serve the request have a reason. */
export const TriedCandidate = z.object({
  model: z.string(),
  group: z.string(),
  tier: z.number(),
  weight: z.number(),
  /** The part of the requests that ask it first among the candidates of its tier; 0 where it has a reason. */
  share: z.number(),
  channels: z.number(),
  reason: CandidateReason.nullable(),
})
export type TriedCandidate = z.output<typeof TriedCandidate>

const base = '/virtual_model/'

export const virtualModels = resource('/api', {
  list: get(base, {
    access: 'admin',
    input: ListQuery.extend({ order: orderQuery('id', 'name', 'enable', 'version', 'updated_at') }),
    response: pageOf(VirtualModel),
    summary: 'Virtual models',
  }),
  get: get(`${base}:id`, {
    access: 'admin',
    input: Id,
    response: VirtualModel,
    summary: 'One virtual model',
  }),
  create: post(base, {
    access: 'admin',
    input: NewVirtualModel,
    response: VirtualModel,
    summary: 'Creates a virtual model',
  }),
  update: put(base, {
    access: 'admin',
    input: VirtualModelPatch,
    ignored: rowFields(VirtualModel, 'name', 'version', 'updated_at'),
    response: VirtualModel,
    summary: 'Changes a virtual model, and keeps the version before',
  }),
  remove: del(`${base}:id`, {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes a virtual model; its versions stay in the database',
  }),
  versions: get(`${base}:id/versions`, {
    access: 'admin',
    input: Id,
    response: z.array(VirtualModelVersion),
    summary: 'The newest 100 versions of a virtual model, the newest first',
  }),
  restore: post(`${base}:id/restore`, {
    access: 'admin',
    input: Id.extend({ version: z.number().int().positive() }),
    response: VirtualModel,
    summary: 'Saves an earlier version of a virtual model as the newest',
  }),
  preview: post(`${base}preview`, {
    access: 'admin',
    audit: false,
    input: CandidatePreview,
    response: z.object({
      /** The time of the preview, in seconds and as the site's time of day. */
      at: Seconds,
      time_of_day: z.string(),
      candidates: z.array(TriedCandidate),
    }),
    summary: 'Which candidates would serve a request, and why the others would not',
  }),
})
