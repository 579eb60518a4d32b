import type { z } from 'zod'
import type { Plug } from '../../core/define-plug.ts'
import { email } from './email.ts'

/** Every way to tell somebody something. */
export const notifiers = { email } satisfies Record<string, Plug<z.ZodType>>
