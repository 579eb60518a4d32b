import { z } from 'zod'
import { get, NoInput, resource } from './resource.ts'

export const DailyModelUsage = z.object({
  /** `YYYY-MM-DD` in the time zone of the site. */
  Date: z.string(),
  ModelName: z.string(),
  RequestCount: z.number(),
  Quota: z.number(),
  PromptTokens: z.number(),
  CompletionTokens: z.number(),
  RequestTime: z.number(),
})
export type DailyModelUsage = z.output<typeof DailyModelUsage>

/** Uptime Kuma's states: 0 down, 1 up, 2 pending, 3 maintenance. */
const MonitorState = z.number().int().min(0).max(3)

const Monitor = z.object({
  id: z.number(),
  name: z.string(),
  /** The state of the newest beat; null without any. */
  status: MonitorState.nullable(),
  /** The availability of 24 hours, 0 to 1; null where it is not known. */
  uptime: z.number().nullable(),
  /** The newest 50, oldest first. `time` is UTC, as Uptime Kuma writes it. */
  heartbeats: z.array(z.object({ status: MonitorState, time: z.string() })),
})
export type Monitor = z.output<typeof Monitor>

export const StatusPage = z.object({
  groups: z.array(z.object({ name: z.string(), monitors: z.array(Monitor) })),
})
export type StatusPage = z.output<typeof StatusPage>

export const statistics = resource('/api/user', {
  dashboard: get('/dashboard', {
    access: 'user',
    input: NoInput,
    response: z.array(DailyModelUsage),
    summary: 'The caller’s last 7 days and today, by day and model',
  }),
  statusPage: get('/dashboard/uptimekuma/status-page', {
    access: 'user',
    input: NoInput,
    response: StatusPage,
    summary: 'The monitors of the Uptime Kuma status page of the settings; at most 30 s old',
  }),
})
