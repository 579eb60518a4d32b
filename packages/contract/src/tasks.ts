import { z } from 'zod'
import {
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  pageOf,
  post,
  resource,
} from './resource.ts'

/** One Hub's words. An expired task is a failure. */
export const taskStatuses = ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** A file of a result. The address is signed, belongs to this gateway and works for 24 hours. */
const TaskFile = z.object({ kind: z.enum(['video', 'image', 'audio', 'text']), url: z.string() })

/** One work that a task made, such as a song with its cover, or a text. */
const TaskResult = z.object({
  title: z.string(),
  tags: z.string(),
  text: z.string(),
  files: z.array(TaskFile),
})
export type TaskResult = z.output<typeof TaskResult>

export const callbackStates = ['none', 'waiting', 'delivered', 'given_up'] as const

export const Task = z.object({
  /** The id of the request, its log row and its receipt. */
  id: z.number(),
  /** The id that callers use. */
  task_id: z.string(),
  /** The interface that it came by, such as `video`, `kling` or `suno`. */
  platform: z.string(),
  action: z.string(),
  model: z.string(),
  user_id: z.number(),
  username: z.string(),
  token_id: z.number(),
  /** 0 for users, who must not see which channel served them. */
  channel_id: z.number(),
  channel: z.object({ id: z.number(), name: z.string() }).nullable(),
  status: z.enum(taskStatuses),
  /** Percent. */
  progress: z.number(),
  fail_reason: z.string(),
  /** The provider may have the task although its submission failed. Always false for users. */
  orphan: z.boolean(),
  /** Points: reserved while it is `held`, and then the charge. */
  quota: z.number(),
  billing: z.enum(['held', 'charged', 'released']),
  /** Seconds, as all times; 0 until then. */
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
  /** The caller deleted it. */
  deleted: z.boolean(),
  /** It has not begun, and its provider can cancel tasks. */
  can_cancel: z.boolean(),
  /** The call that its caller asked for: `waiting` from the submission on, until a 2xx or the eighth try. */
  callback: z.enum(callbackStates),
  /** Why the last try failed. */
  callback_failure: z.string(),
  /** Empty in the list of all users. */
  prompt: z.string(),
  results: z.array(TaskResult),
})
export type Task = z.output<typeof Task>

const Filters = z.object({
  platform: z.string().max(40).optional(),
  task_id: z.string().max(100).optional(),
  action: z.string().max(100).optional(),
  status: z.enum(taskStatuses).optional(),
  token_id: z.number().int().optional(),
  callback: z.enum(callbackStates).optional(),
  start_timestamp: z.number().int().optional(),
  end_timestamp: z.number().int().optional(),
})
const sortable = ['id', 'submit_time', 'finish_time', 'platform', 'action', 'model'] as const

/** A task as its provider shows it, with the provider's addresses. */
export const RawTask = z.object({
  upstream_id: z.string(),
  /** The prompt of the user. Lists of administrators leave it out. */
  prompt: z.string(),
  request: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
})
export type RawTask = z.output<typeof RawTask>

export const tasks = resource('/api/task', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.omit({ keyword: true })
      .extend(Filters.shape)
      .extend({
        order: orderQuery(...sortable, 'channel_id', 'user_id'),
        channel_id: z.number().int().optional(),
        user_id: z.number().int().optional(),
        username: z.string().max(254).optional(),
        /** Only tasks that a provider may have although their submission failed. */
        orphan: z.boolean().optional(),
      }),
    response: pageOf(Task),
    summary: 'Videos, music and other tasks of all users',
  }),
  self: get('/self', {
    access: 'user',
    input: ListQuery.omit({ keyword: true })
      .extend(Filters.shape)
      .extend({ order: orderQuery(...sortable) }),
    response: pageOf(Task),
    summary: 'The caller’s own tasks',
  }),
  raw: get('/:id/raw', {
    access: 'admin',
    input: Id,
    response: RawTask,
    summary: 'A task as its provider shows it',
  }),
  callbackSecret: get('/callback-secret', {
    access: 'user',
    input: NoInput,
    response: z.string(),
    summary: 'The secret by which the caller verifies callbacks of tasks',
  }),
  renewCallbackSecret: post('/callback-secret', {
    access: 'user',
    input: NoInput,
    response: z.string(),
    audit: true,
    summary: 'Replaces the secret that signs callbacks of tasks, at once',
  }),
  cancel: post('/:id/cancel', {
    access: 'user',
    input: Id,
    response: NoData,
    summary: 'Cancels a task that has not begun; administrators may cancel those of all users',
  }),
})
