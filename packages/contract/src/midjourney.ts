import { z } from 'zod'
import { get, ListQuery, orderQuery, pageOf, resource } from './resource.ts'

/** The words of Midjourney's proxies. `MODAL` waits for the caller. */
export const midjourneyStatuses = [
  'NOT_START',
  'SUBMITTED',
  'IN_PROGRESS',
  'MODAL',
  'SUCCESS',
  'FAILURE',
] as const

export const MidjourneyTask = z.object({
  /** The id of the request, its log row and its receipt. */
  id: z.number(),
  /** The id that callers use. */
  mj_id: z.string(),
  /** As the proxy names it, such as `IMAGINE`. */
  action: z.string(),
  mode: z.string(),
  model: z.string(),
  user_id: z.number(),
  username: z.string(),
  token_id: z.number(),
  /** 0 for users, who must not see which channel served them. */
  channel_id: z.number(),
  channel: z.object({ id: z.number(), name: z.string() }).nullable(),
  status: z.enum(midjourneyStatuses),
  /** Such as `42%`. */
  progress: z.string(),
  /** Signed addresses of this gateway, which work for 24 hours; the image also while the task runs. */
  image_url: z.string(),
  video_urls: z.array(z.string()),
  /** Empty in the list of all users. */
  prompt: z.string(),
  prompt_en: z.string(),
  fail_reason: z.string(),
  /** Points: reserved while it is `held`, and then the charge. */
  quota: z.number(),
  billing: z.enum(['held', 'charged', 'released']),
  /** Seconds, as all times; 0 until then. */
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
})
export type MidjourneyTask = z.output<typeof MidjourneyTask>

const Filters = z.object({
  mj_id: z.string().max(100).optional(),
  token_id: z.number().int().optional(),
  start_timestamp: z.number().int().optional(),
  end_timestamp: z.number().int().optional(),
})
const sortable = ['id', 'submit_time', 'finish_time', 'action'] as const

export const midjourney = resource('/api/mj', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.omit({ keyword: true })
      .extend(Filters.shape)
      .extend({
        order: orderQuery(...sortable, 'channel_id', 'user_id'),
        channel_id: z.number().int().optional(),
        username: z.string().max(254).optional(),
      }),
    response: pageOf(MidjourneyTask),
    summary: 'Midjourney tasks of all users',
  }),
  self: get('/self', {
    access: 'user',
    input: ListQuery.omit({ keyword: true })
      .extend(Filters.shape)
      .extend({ order: orderQuery(...sortable) }),
    response: pageOf(MidjourneyTask),
    summary: 'The caller’s own Midjourney tasks',
  }),
})
