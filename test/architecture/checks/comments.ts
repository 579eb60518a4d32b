import { lineOf, type Source } from '../source.ts'

/** One comment as a reader sees it: `//` lines that follow each other are one. */
export type ReadComment = { path: string; line: number; text: string }

const textOf = (value: string) =>
  value
    .split('\n')
    .map(line => line.replace(/^\s*\**\s?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

export const commentsOf = (source: Source): ReadComment[] => {
  const { path, text, comments } = source
  const found: ReadComment[] = []
  let lineEnd = -1
  for (const { type, value, start, end } of comments) {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    const startsItsLine = text.slice(lineStart, start).trim() === ''
    const last = found.at(-1)
    const continues =
      type === 'Line' &&
      lineEnd >= 0 &&
      startsItsLine &&
      last &&
      text.slice(lineEnd, start).trim() === '' &&
      lineOf(source, start) === lineOf(source, lineEnd) + 1
    if (continues) last.text += ` ${textOf(value)}`
    else found.push({ path, line: lineOf(source, start), text: textOf(value) })
    lineEnd = type === 'Line' && (continues || startsItsLine) ? end : -1
  }
  return found
}

const headless = /^(what|who|whoever|whom|whomever|whose|of|where|whether|the same)\b/i

export const commentFindings = (comments: ReadComment[]): string[] =>
  comments
    .filter(({ text }) => headless.test(text))
    .map(({ path, line, text }) => {
      const [opening] = headless.exec(text) ?? []
      const shown = text.length > 70 ? `${text.slice(0, 70)}…` : text
      return `${path}:${line} rewrite the comment as a sentence with a subject instead of “${opening} …”: “${shown}”`
    })

/** Findings only above the tolerated share of all comments, which is 0.5 %. */
export const tooManyComments = (comments: ReadComment[]): string[] => {
  const findings = commentFindings(comments)
  return findings.length > comments.length * 0.005 ? findings : []
}
