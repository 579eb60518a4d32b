import type { z } from 'zod'
import type { Integration } from '../../core/define-integration.ts'
import { email } from './email.ts'

/** Every notifier by its id. */
export const notifiers = { email } satisfies Record<string, Integration<z.ZodType>>
