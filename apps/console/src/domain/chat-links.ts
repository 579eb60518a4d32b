import type { Status } from '@hub/contract'

export type ChatLink = { name: string; url: string; show: boolean; sort: number }

/** Links of a new site: two web clients and two desktop applications. */
export const defaultChatLinks: ChatLink[] = [
  {
    name: 'ChatGPT Next',
    url: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{server}"}',
    show: true,
    sort: 1,
  },
  {
    name: 'chatgpt-web-midjourney-proxy',
    url: 'https://vercel.ddaiai.com/#/?settings={"key":"{key}","url":"{server}"}',
    show: true,
    sort: 2,
  },
  { name: 'AMA', url: 'ama://set-api-key?server={server}&key={key}', show: false, sort: 3 },
  {
    name: 'OpenCat',
    url: 'opencat://team/join?domain={server}&token={key}',
    show: false,
    sort: 4,
  },
]

/** The links of a site, those with `show` first. Links that could run a script are left out. */
export const chatLinks = (
  status: Pick<Status, 'chat_links' | 'chat_link'> | undefined,
): ChatLink[] => {
  const configured = readChatLinks(status?.chat_links ?? '')
  const links = configured.length ? configured : defaultsWithLegacyLink(status?.chat_link ?? '')
  return links
    .filter(link => isSafeLink(link.url))
    .toSorted((a, b) => Number(b.show) - Number(a.show) || a.sort - b.sort)
}

/** Reads the list that One Hub stores as JSON text. Invalid entries are left out. */
export const readChatLinks = (text: string): ChatLink[] => {
  try {
    const list: unknown = JSON.parse(text || '[]')
    return Array.isArray(list) ? list.flatMap(parseLink) : []
  } catch {
    return []
  }
}

const parseLink = (value: unknown): ChatLink[] => {
  const { name, url, show, sort } = (value ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || typeof url !== 'string' || !name || !url) return []
  const order = Number(sort)
  return [{ name, url, show: show === true, sort: sort !== undefined && order >= 0 ? order : 1e9 }]
}

/** The single link setting of older sites replaces the first default link. */
const defaultsWithLegacyLink = (url: string): ChatLink[] =>
  defaultChatLinks.map((link, index) => (index === 0 && url ? { ...link, url } : link))

/** Schemes that could run or show content in this page. Applications register their own schemes, so no allow-list is possible. */
const forbidden = /^(javascript|data|vbscript|blob|file|filesystem|about|view-source):/

/** Reads the scheme of a URL like browsers do, ignoring control characters and white space. */
const schemeOf = (url: string) =>
  /^[a-z][a-z0-9+.-]*:/.exec(
    [...url]
      .filter(char => char > ' ' && char !== '\u007f')
      .join('')
      .toLowerCase(),
  )?.[0]

export const isSafeLink = (url: string): boolean => {
  const scheme = schemeOf(url)
  return scheme !== undefined && !forbidden.test(scheme)
}

/** The receiver of the key for the confirmation text: a host or the scheme of an application. */
export const linkDestination = (url: string): string => {
  const scheme = schemeOf(url) ?? ''
  if (scheme !== 'http:' && scheme !== 'https:') return `${scheme}//`
  const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  return host.slice(host.lastIndexOf('@') + 1)
}

/**
 * Inserts `{key}` and `{server}` into a link. Inside `base64<[…]>` the raw values are inserted and the whole is encoded.
 * Elsewhere the values are URL-encoded, so that they cannot change the rest of the link.
 */
export const buildChatLink = (url: string, values: { key: string; server: string }): string =>
  url
    .split(/(base64<\[.*?\]>)/s)
    .map(part => {
      const inner = /^base64<\[(.*)\]>$/s.exec(part)?.[1]
      if (inner === undefined) return fill(part, values, encodeURIComponent)
      return encodeURIComponent(base64(fill(inner, values, text => text)))
    })
    .join('')

const fill = (
  text: string,
  { key, server }: { key: string; server: string },
  write: (text: string) => string,
) => text.replaceAll('{key}', () => write(key)).replaceAll('{server}', () => write(server))

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
