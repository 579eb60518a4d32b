import type { NotificationEvent } from '@hub/contract'

export type EventFields = Readonly<Record<string, string | number>>

type EventText = { title: string; lines: string[] }

/** The texts of one language. */
export type Texts = {
  events: Record<NotificationEvent, (facts: EventFields, count: number) => EventText>
  digest(count: number): string
  /** The label of the link to the console. */
  open: string
  /** Changes of credentials by their kind. */
  changes: Record<string, string>
}
