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

export const statistics = resource('/api/user', {
  dashboard: get('/dashboard', {
    access: 'user',
    input: NoInput,
    reply: z.array(DailyModelUsage),
    summary: 'The caller’s last 7 days and today, by day and model',
  }),
})
