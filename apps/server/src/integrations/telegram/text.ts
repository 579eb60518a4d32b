import { telegramTextMax } from '@hub/contract'

const names: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** Any text as HTML that Telegram parses. Half a character, which is no UTF-8, becomes a replacement mark. */
export const escapeHtml = (text: string): string =>
  text.toWellFormed().replace(/[<>&]/g, char => names[char]!)

/** Shortens to at most this many UTF-16 units, as Telegram counts, and never within a character. */
export const clip = (text: string, max = telegramTextMax): string => {
  if (text.length <= max) return text
  const end = /[\uD800-\uDBFF]/.test(text[max - 2] ?? '') ? max - 2 : max - 1
  return `${text.slice(0, end)}…`
}
