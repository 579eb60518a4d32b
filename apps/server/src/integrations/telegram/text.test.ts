import { parseTelegramMarkup } from '@hub/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseAsTelegram } from '../../../../../test/harness/telegram/parse.ts'
import { clip, escapeHtml } from './text.ts'

/** Any UTF-16, with halves of characters and the marks of all modes. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\uD83D', '\uDE00', '<b>', '</a>', '&amp;', '&#60;', '*', '_', '`', '[', '>'),
      fc.constantFrom('😀', '👩‍👩‍👧‍👦', '한', 'ﷺ', '\u202E', '\0'),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map(parts => parts.join(''))
  .filter(text => text !== '')
  .map(text => text.repeat(Math.ceil(4200 / text.length)))

it('1,000 generated texts at the size limit parse, and are shown as they are', () => {
  fc.assert(
    fc.property(anyText, text => {
      const clipped = clip(text)
      expect(clipped.length).toBeGreaterThan(4000)
      expect(clipped.length).toBeLessThanOrEqual(4096)
      const html = `<b>${escapeHtml(clipped)}</b>`
      expect(html.isWellFormed()).toBe(true)
      expect(parseAsTelegram(html, 'HTML')).toEqual({ ok: true, text: clipped.toWellFormed() })
    }),
    { numRuns: 1000 },
  )
})

const source = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        ' ',
        '\n',
        '*',
        '_',
        '__',
        '~',
        '||',
        '`',
        '```',
        '[',
        '](u)',
        ']',
        '\\',
        '\\.',
        '.',
      ],
      ...['>', '<b>', '</b>', '<i>', '</i>', '<a href="u">', '</a>', '&lt;', '&', '<', '!', '|'],
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''))

it.each(['html', 'MarkdownV2', 'Markdown'] as const)(
  'what we accept as %s, Telegram accepts',
  mode => {
    fc.assert(
      fc.property(source, text => {
        if (parseTelegramMarkup(mode, text).ok) expect(parseAsTelegram(text, mode).ok).toBe(true)
      }),
      { numRuns: 1000 },
    )
  },
)
