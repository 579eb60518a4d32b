import { z } from 'zod'
import { get, Nothing, resource } from './resource.ts'

export const DayOfModel = z.object({
  /** `YYYY-MM-DD` in the time zone of the site. */
  Date: z.string(),
  ModelName: z.string(),
  RequestCount: z.number(),
  Quota: z.number(),
  PromptTokens: z.number(),
  CompletionTokens: z.number(),
  RequestTime: z.number(),
})
export type DayOfModel = z.output<typeof DayOfModel>

export const statistics = resource('/api/user', {
  dashboard: get('/dashboard', {
    access: 'user',
    input: Nothing,
    reply: z.array(DayOfModel),
    summary: 'The caller’s last 7 days and today, by day and model',
  }),
})
