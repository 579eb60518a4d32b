import { MarkupError, type MarkupRun, type MarkupStyle, RunBuilder } from './runs.ts'

const styles: Readonly<Record<string, MarkupStyle>> = {
  _: 'italic',
  '*': 'bold',
  '`': 'code',
  '```': 'pre',
}

/** The first Markdown of Telegram, without nesting. https://core.telegram.org/bots/api#markdown-style */
export const parseMarkdown = (source: string): MarkupRun[] => {
  const runs = new RunBuilder()
  let at = 0
  while (at < source.length) {
    const char = source[at]!
    if (char === '\\' && '_*`['.includes(source[at + 1] ?? ' ')) {
      runs.append(source[at + 1]!)
      at += 2
    } else if (char === '[') at = readLink(source, at, runs)
    else if ('_*`'.includes(char)) at = readSpan(source, at, runs)
    else {
      runs.append(char)
      at += 1
    }
  }
  return runs.finish()
}

/** Reads to the end mark; nothing is escaped or nested in between. Returns the offset after it. */
const readSpan = (source: string, begin: number, runs: RunBuilder): number => {
  const mark = source.startsWith('```', begin) ? '```' : source[begin]!
  const end = source.indexOf(mark, begin + mark.length)
  if (end < 0) throw new MarkupError(`${styles[mark]} at ${begin + 1} has no end`)
  const inside = source.slice(begin + mark.length, end)
  runs.begin(styles[mark]!, begin)
  runs.append(mark === '```' ? inside.replace(/^[^\s`]*\n/, '') : inside)
  runs.end()
  return end + mark.length
}

const readLink = (source: string, begin: number, runs: RunBuilder): number => {
  const end = source.indexOf(']', begin)
  if (end < 0) throw new MarkupError(`link at ${begin + 1} has no end`)
  const hasAddress = source[end + 1] === '('
  const close = hasAddress ? source.indexOf(')', end) : end
  if (close < 0) throw new MarkupError(`the address at ${end + 2} has no end`)
  runs.begin('link', begin)
  runs.append(source.slice(begin + 1, end))
  runs.end(hasAddress ? source.slice(end + 2, close) : undefined)
  return close + 1
}
