/** A text as Telegram shows it, or the reason of its refusal, after "Bad Request: can't parse entities: ". */
type Parsed = { ok: true; text: string } | { ok: false; description: string }

const refuse = (description: string): never => {
  throw new TypeError(description)
}

/**
 * The rules of https://core.telegram.org/bots/api#formatting-options, with the errors of the parser of Telegram's own
 * server (td/telegram/MessageEntity.cpp: parse_html, parse_markdown, parse_markdown_v2). It shares no code with ours.
 */
export const parseAsTelegram = (text: string, mode: string | undefined): Parsed => {
  const parse = { html: parseHtml, markdown: parseMarkdown, markdownv2: parseMarkdownV2 }
  const name = (mode ?? '').toLowerCase() as keyof typeof parse
  try {
    if (mode === undefined || mode === '') return { ok: true, text }
    if (!Object.hasOwn(parse, name)) return { ok: false, description: 'unsupported parse_mode' }
    return { ok: true, text: parse[name](text) }
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, description: error.message }
    throw error
  }
}

/** Offsets in errors are those of UTF-8 bytes. */
const byteOffset = (text: string, at: number) => Buffer.byteLength(text.slice(0, at))

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const htmlTags =
  /^(b|strong|i|em|u|ins|s|strike|del|span|tg-spoiler|tg-emoji|a|code|pre|blockquote)$/

const parseHtml = (source: string): string => {
  const stack: string[] = []
  let shown = ''
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at)
    const entity = /^&(lt|gt|amp|quot|#\d{1,7}|#x[\da-f]{1,6});/i.exec(rest)
    if (entity) {
      const code = entity[1]!.toLowerCase()
      const number = code.startsWith('#x') ? parseInt(code.slice(2), 16) : Number(code.slice(1))
      shown += code.startsWith('#') ? String.fromCodePoint(number) : named[code]
      at += entity[0].length
    } else if (rest.startsWith('</')) {
      const [whole = '', name = ''] = /^<\/([a-z-]*)\s*>/i.exec(rest) ?? []
      if (whole === '') refuse(`Unclosed end tag at byte offset ${byteOffset(source, at)}`)
      const expected = stack.pop()
      if (!expected) refuse(`Unexpected end tag at byte offset ${byteOffset(source, at)}`)
      if (name !== '' && name.toLowerCase() !== expected)
        refuse(`Unmatched end tag, expected "</${expected}>", found "</${name}>"`)
      at += whole.length
    } else if (rest.startsWith('<')) {
      const [whole = '', name = '', more = ''] = /^<([a-z-]*)([^>]*)>/i.exec(rest) ?? []
      if (whole === '') refuse(`Unclosed start tag at byte offset ${byteOffset(source, at)}`)
      if (!htmlTags.test(name.toLowerCase())) refuse(`Unsupported start tag "${name}"`)
      if (name === 'span' && !more.includes('tg-spoiler'))
        refuse('Tag "span" must have class "tg-spoiler"')
      stack.push(name.toLowerCase())
      at += whole.length
    } else {
      shown += source[at]
      at += 1
    }
  }
  if (stack.length > 0) refuse(`Can't find end tag corresponding to start tag "${stack.at(-1)}"`)
  return shown
}

const parseMarkdown = (source: string): string =>
  source.replace(
    /\\([_*`[])|```[\s\S]*?```|`[^`]*`|\*[^*]*\*|_[^_]*_|\[[^\]]*\](?:\([^)]*\))?|[_*`[]/g,
    (found, escaped, at) => {
      if (escaped) return escaped
      if (found.length === 1)
        refuse(
          `Can't find end of the entity starting at byte offset ${byteOffset(source, Number(at))}`,
        )
      return found.replace(/\]\([^)]*\)$/, '').replace(/[_*`[\]]/g, '')
    },
  )

const parseMarkdownV2 = (source: string): string => {
  const stack: { mark: string; at: number }[] = []
  let shown = ''
  for (let at = 0; at < source.length; at += 1) {
    const [char, next] = [source[at]!, source[at + 1] ?? '']
    const inCode = stack.at(-1)?.mark.startsWith('`')
    if (char === '\\' && next > '\0' && next <= '~') {
      shown += next
      at += 1
    } else if (inCode && char !== '`') shown += char
    else if (isQuoteEnd(source, at) && stack.at(-1)?.mark !== '||') at += 1
    else if ('_*~`|['.includes(char) || (char === ']' && stack.at(-1)?.mark === '[')) {
      const doubled = char === '_' || char === '|' ? char.repeat(2) : char === '`' ? '```' : char
      const isCodeEnd = stack.at(-1)?.mark === '`'
      const mark = !isCodeEnd && source.startsWith(doubled, at) ? doubled : char
      if (mark === '|') refuse(reservedText(char))
      at += mark.length - 1
      if (mark === ']') {
        const isEmoji = source[stack.pop()!.at - 1] === '!'
        const url = /^\((?:[^)\\]|\\[\s\S])*\)/.exec(source.slice(at + 1))?.[0]
        if (isEmoji && !url?.startsWith('(tg://emoji?'))
          refuse('Custom emoji entity must contain a tg://emoji URL')
        if (isEmoji && !/\?id=\d+\)$/.test(url!))
          refuse('Invalid custom emoji identifier specified')
        if (source[at + 1] !== '(') continue
        if (!url) refuse(`Can't find end of a URL at byte offset ${byteOffset(source, at)}`)
        at += url!.length
      } else if (mark !== '[' && stack.at(-1)?.mark === mark) stack.pop()
      else stack.push({ mark, at })
    } else if (char === '>' && /(^|\n)(\*\*)?$/.test(source.slice(0, at))) shown += ''
    else if (char === '!' && next === '[') shown += ''
    else if (']()>#+-=|{}.!'.includes(char)) refuse(reservedText(char))
    else shown += char
  }
  const open = stack.at(-1)
  if (open) refuse(`Can't find end of entity at byte offset ${byteOffset(source, open.at)}`)
  return shown
}

/** "||" at the end of a line that is quoted folds the quotation. */
const isQuoteEnd = (source: string, at: number): boolean => {
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at)
  return /^(\*\*)?>/.test(line) && /^\|\|(\n|$)/.test(source.slice(at))
}

const reservedText = (char: string) =>
  `Character '${char}' is reserved and must be escaped with the preceding '\\'`
