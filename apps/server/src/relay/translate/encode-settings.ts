import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'

type OutputLimits = Readonly<Record<string, number>>

/** The parsed setting: it changes rarely, and each translated call reads it. */
const outputLimits = appScoped(() => ({ text: '', byModel: {} as OutputLimits }))

/** The settings for requests that are written for Claude, which encoders for other models ignore. */
export const encodeSettings = (app: App) => {
  const { ClaudeBudgetTokensPercentage, ClaudeDefaultMaxTokens: text } = app.settings().claude
  const cached = outputLimits(app)
  if (cached.text !== text)
    Object.assign(cached, { text, byModel: JSON.parse(text) as OutputLimits })
  return { thinkingBudgetShare: ClaudeBudgetTokensPercentage, defaultOutputMax: cached.byModel }
}
