import { parseHtml } from './html.ts'
import { parseMarkdown } from './markdown.ts'
import { parseMarkdownV2 } from './markdown-v2.ts'
import { MarkupError, type MarkupRun } from './runs.ts'

export type { MarkupRun, MarkupStyle } from './runs.ts'

/** As One Hub writes them. */
export const telegramParseModes = ['MarkdownV2', 'Markdown', 'html'] as const
export type TelegramParseMode = (typeof telegramParseModes)[number]

/** Telegram counts UTF-16 units of the text without its marks. https://core.telegram.org/bots/api#sendmessage */
export const telegramTextMax = 4096

type ParsedMarkup = { ok: true; runs: MarkupRun[] } | { ok: false; why: string }

const parsers: Record<TelegramParseMode, (source: string) => MarkupRun[]> = {
  MarkdownV2: parseMarkdownV2,
  Markdown: parseMarkdown,
  html: parseHtml,
}

/** Parses a text as Telegram would, so that one that it would refuse is refused when it is saved. */
export const parseTelegramMarkup = (mode: TelegramParseMode, source: string): ParsedMarkup => {
  try {
    const runs = parsers[mode](source)
    const text = runs.map(run => run.text).join('')
    if (text.trim() === '') return { ok: false, why: 'no text would be shown' }
    if (text.length > telegramTextMax)
      return { ok: false, why: `longer than ${telegramTextMax} characters` }
    return { ok: true, runs }
  } catch (error) {
    if (error instanceof MarkupError) return { ok: false, why: error.message }
    throw error
  }
}
