import { expect, it } from 'vitest'
import { parseTelegramMarkup, type TelegramParseMode, telegramTextMax } from './index.ts'

const parse = (mode: TelegramParseMode, source: string) => {
  const parsed = parseTelegramMarkup(mode, source)
  if (!parsed.ok) return parsed.why
  return parsed.runs.map(({ text, styles, url }) =>
    [text, ...styles, ...(url === undefined ? [] : [url])].join('|'),
  )
}

it.each<[TelegramParseMode, string, string[]]>([
  ['html', 'a &lt; b &amp; c &copy; d', ['a < b & c &copy; d']],
  ['html', '<b>x<i>y</i></b>z', ['x|bold', 'y|bold|italic', 'z']],
  ['html', '<a href="https://x.example/?a=1&amp;b=2">x</a>', ['x|link|https://x.example/?a=1&b=2']],
  ['html', '<span class="tg-spoiler">x</span><blockquote>q</blockquote>', ['x|spoiler', 'q|quote']],
  ['html', '<pre><code class="language-js">1 > 0</code></pre>', ['1 > 0|pre|code']],
  [
    'Markdown',
    '*b* _i_ `c` [l](http://x.example)',
    ['b|bold', ' ', 'i|italic', ' ', 'c|code', ' ', 'l|link|http://x.example'],
  ],
  ['Markdown', 'snake\\_case 1.5 (!)', ['snake_case 1.5 (!)']],
  [
    'MarkdownV2',
    '*b _i_* ~s~ __u__ ||p||',
    ['b |bold', 'i|bold|italic', ' ', 's|strikethrough', ' ', 'u|underline', ' ', 'p|spoiler'],
  ],
  ['MarkdownV2', '1\\.5 \\= \\*', ['1.5 = *']],
  ['MarkdownV2', '`a.b` ```js\nx = 1\n```', ['a.b|code', ' ', 'x = 1\n|pre']],
  ['MarkdownV2', '[l\\.](http://x.example/\\))', ['l.|link|http://x.example/)']],
  ['MarkdownV2', '>q\n>r\nend', ['q\nr|quote', '\nend']],
  ['MarkdownV2', '**>long\n>quote||', ['long\nquote|quote']],
])('%s %j is shown', (mode, source, runs) => {
  expect(parse(mode, source)).toEqual(runs)
})

it.each<[TelegramParseMode, string, RegExp]>([
  ['html', 'a < b', /begins no tag/],
  ['html', '<b>x', /bold at 1 has no end/],
  ['html', '<b><i>x</b></i>', /<\/b> at 8 ends no open tag/],
  ['html', '<script>x</script>', /<script> at 1 is not supported/],
  ['html', '<span>x</span>', /tg-spoiler/],
  ['html', ' &#10; ', /no text/],
  ['Markdown', 'snake_case', /italic at 6 has no end/],
  ['Markdown', '[x](http://', /address at 4/],
  ['MarkdownV2', '1.5', /"\." at 2 needs a backslash/],
  ['MarkdownV2', '*b _i* x_', /has no end/],
  ['MarkdownV2', 'a | b', /"\|" at 3/],
  ['MarkdownV2', 'a > b', /">" at 3/],
  ['MarkdownV2', '![x](http://x.example)', /emoji at 1/],
  ['MarkdownV2', '[x](http://x', /address at 4 has no end/],
])('%s %j is refused', (mode, source, why) => {
  expect(parse(mode, source)).toMatch(why)
})

it('the limit counts UTF-16 units of the shown text', () => {
  const full = '😀'.repeat(telegramTextMax / 2)
  expect(parseTelegramMarkup('html', `<b>${full}</b>`).ok).toBe(true)
  expect(parseTelegramMarkup('html', `${full}x`)).toMatchObject({ ok: false })
})
