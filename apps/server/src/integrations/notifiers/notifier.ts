import type { z } from 'zod'
import type { Integration } from '../../core/define-integration.ts'
import type { Notification } from '../../core/define-job.ts'

/** `id` is the same at each attempt, so that the recipient's mail program detects duplicates. */
export type OutgoingNotification = Notification & { id: string }

export type Notifier<C extends z.ZodType = z.ZodType> = Integration<C> & {
  /** Resolves when the receiving server has accepted the message. Throws `mail.failed` with the server's text. */
  send(config: z.output<C>, message: OutgoingNotification): Promise<void>
}
