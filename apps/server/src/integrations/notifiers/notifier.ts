import type { z } from 'zod'
import type { Integration } from '../../core/define-integration.ts'
import type { EmailText } from '../../core/define-job.ts'
import type { PostRequest } from '../../lib/http/post-guarded.ts'

/** One fact, for receivers that are programs. */
export type MessageEvent = {
  type: string
  /** Unix seconds. */
  at: number
  /** How often it happened in the window that this message stands for. */
  count: number
  facts: Readonly<Record<string, string | number>>
}

/** A notification in the language of its target. `id` is equal at each attempt, so that receivers detect duplicates. */
export type Message = EmailText & { id: string; events: readonly MessageEvent[] }

export type PostResponse = { status: number; headers: Record<string, string>; body: string }

/** The network access of a notifier. Each method throws `notification.failed` when there is no answer. */
export type Network = {
  post(request: PostRequest): Promise<PostResponse>
  sendEmail(to: string, message: Message): Promise<void>
  /** Milliseconds since 1970, for signatures. */
  now(): number
}

export type Notifier<C extends z.ZodObject = z.ZodObject> = Integration<C> & {
  /** The least time between two messages to one target. */
  spacingMs: number
  /** The addresses that receive the secrets of a configuration. */
  destination(config: z.output<C>): string
  /**
   * Resolves when the service has accepted the message. Throws `notification.refused` if repeating it cannot succeed,
   * and otherwise `notification.failed`, with the time to wait if the service named one.
   */
  send(config: z.output<C>, message: Message, network: Network): Promise<void>
}

export const defineNotifier = <C extends z.ZodObject>(notifier: Notifier<C>): Notifier<C> =>
  notifier
