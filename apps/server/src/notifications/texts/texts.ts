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

type FailureTexts = (
  title: string | ((name: string) => string),
  advice: string,
) => (facts: EventFields) => EventText

/** Makes the texts of failures in one language: a title, the reason behind its label, and advice. */
export const failuresIn =
  (reasonLabel: string): FailureTexts =>
  (title, advice) =>
  ({ name, reason }) => ({
    title: typeof title === 'string' ? title : title(String(name)),
    lines: [`${reasonLabel}${reason}`, advice],
  })
