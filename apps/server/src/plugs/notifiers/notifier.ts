import type { z } from 'zod'
import type { Letter } from '../../core/define-job.ts'
import type { Plug } from '../../core/define-plug.ts'

/** `id` is the same at each attempt, so that whoever gets a letter twice can tell. */
export type Message = Letter & { id: string }

export type Notifier<C extends z.ZodType = z.ZodType> = Plug<C> & {
  /** Resolves when somebody else has taken the message over; throws `mail.failed` with what was said otherwise. */
  send(config: z.output<C>, message: Message): Promise<void>
}
