import type { Route } from '../../relay/formats/route.ts'
import { anthropicObjects } from './anthropic.ts'
import { geminiObjects } from './gemini/routes.ts'
import { openaiObjects } from './openai.ts'

/**
 * Files, batches and other objects that vendors store. At one address, formats that headers select stand before the
 * format of all other clients.
 */
export const storedRoutes: readonly Route[] = [
  ...geminiObjects,
  ...openaiObjects,
  ...anthropicObjects,
]
