import type { NotificationEvent } from '@hub/contract'
import type { CredentialChange } from '../../core/sign-in/emails.ts'

export type EventFields = Readonly<Record<string, string | number>>

type EventText = { title: string; lines: string[] }

/** The texts of one language. */
export type Texts = {
  events: Record<NotificationEvent, (facts: EventFields, count: number) => EventText>
  digest(count: number): string
  /** The label of the link to the console. */
  open: string
  /** Changes of credentials by their kind. */
  changes: Record<CredentialChange, string>
}
