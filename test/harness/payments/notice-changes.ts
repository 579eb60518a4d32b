import { createHash } from 'node:crypto'
import type { SentNotice } from './fake-vendor.ts'

/** Numbers that depend on the seed only, so that a failing change is found again. */
const makeDraw = (seed: string) => {
  let n = 0
  return (below: number): number => {
    n += 1
    return createHash('sha256').update(`${seed}:${n}`).digest().readUInt32BE(0) % below
  }
}

const replaceByte = (text: string, at: number, code: number): string =>
  text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)

const changeText = (text: string, draw: (below: number) => number): string => {
  if (text === '') return String.fromCharCode(33 + draw(90))
  const at = draw(text.length)
  if (draw(5) === 0) return text.slice(0, at) + text.slice(at + 1)
  // Printable, so that the request itself stays valid.
  return replaceByte(text, at, 33 + draw(94))
}

/** Drops, doubles, empties or exchanges fields of a form or of a JSON object. */
const changeFields = (text: string, other: string, draw: (below: number) => number): string => {
  const isJson = text.startsWith('{')
  const pairs = (each: string) => (isJson ? each.slice(1, -1).split(',') : each.split('&'))
  const own = pairs(text)
  const at = draw(own.length)
  const change = [
    () => own.filter((_, n) => n !== at),
    () => [...own, own[at]!],
    () => own.map((pair, n) => (n === at ? (pairs(other)[at] ?? pair) : pair)),
    () =>
      own.map((pair, n) => (n === at ? pair.replace(/(=|":).*/, isJson ? '$1""' : '$1') : pair)),
    () => [...pairs(other).slice(0, at), ...own.slice(at)],
  ][draw(5)]!
  const joined = change().join(isJson ? ',' : '&')
  return isJson ? `{${joined}}` : joined
}

const mutate = (
  notice: SentNotice,
  other: SentNotice,
  draw: (below: number) => number,
): SentNotice => {
  const part = notice.body === '' ? 'query' : 'body'
  const choice = draw(10)
  if (choice < 4) return { ...notice, [part]: changeText(notice[part], draw) }
  if (choice < 7) return { ...notice, [part]: changeFields(notice[part], other[part], draw) }
  if (choice === 7) return { ...notice, query: changeText(notice.query, draw) }
  const names = Object.keys(notice.headers)
  const name = names[draw(Math.max(1, names.length))]
  if (name === undefined) return { ...notice, method: notice.method === 'GET' ? 'POST' : 'GET' }
  const { [name]: value = '', ...rest } = notice.headers
  if (draw(4) === 0) return { ...notice, headers: rest }
  return { ...notice, headers: { ...rest, [name]: changeText(value, draw) } }
}

/**
 * Notices that differ from a real one in one place: a byte of the body, the query or a header, or a field that is dropped,
 * doubled, emptied or taken from the notice of another order.
 */
export function* noticeChanges(
  seed: string,
  notices: readonly SentNotice[],
  count: number,
): Generator<SentNotice> {
  const draw = makeDraw(seed)
  for (let n = 0; n < count; n += 1) {
    const notice = notices[draw(notices.length)]!
    yield mutate(notice, notices[draw(notices.length)]!, draw)
  }
}
