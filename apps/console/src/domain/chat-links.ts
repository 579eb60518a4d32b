import type { Status } from '@hub/contract'

export type ChatLink = { name: string; url: string; show: boolean; sort: number }

/** What a new site offers: two clients on the web, two applications. */
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

/** The links of a site, those with `show` first. Links that could run script here are left out. */
export const chatLinks = (
  status: Pick<Status, 'chat_links' | 'chat_link'> | undefined,
): ChatLink[] => {
  const own = readChatLinks(status?.chat_links ?? '')
  const links = own.length ? own : withOldLink(status?.chat_link ?? '')
  return links
    .filter(link => isSafeLink(link.url))
    .toSorted((a, b) => Number(b.show) - Number(a.show) || a.sort - b.sort)
}

/** One Hub stores the list as JSON text; what is not a link in it is left out. */
export const readChatLinks = (text: string): ChatLink[] => {
  try {
    const list: unknown = JSON.parse(text || '[]')
    return Array.isArray(list) ? list.flatMap(linkOf) : []
  } catch {
    return []
  }
}

const linkOf = (value: unknown): ChatLink[] => {
  const { name, url, show, sort } = (value ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || typeof url !== 'string' || !name || !url) return []
  const order = Number(sort)
  return [{ name, url, show: show === true, sort: sort !== undefined && order >= 0 ? order : 1e9 }]
}

/** The single address of older sites takes the place of the first default. */
const withOldLink = (url: string): ChatLink[] =>
  defaultChatLinks.map((link, index) => (index === 0 && url ? { ...link, url } : link))

/** Applications bring their own schemes, so those that run or show content in this page are named instead. */
const forbidden = /^(javascript|data|vbscript|blob|file|filesystem|about|view-source):/

/** Browsers skip control characters and white space in a scheme; so does this. */
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

/** What a key is handed to, for the sentence before it is: a host, or an application's scheme. */
export const linkDestination = (url: string): string => {
  const scheme = schemeOf(url) ?? ''
  if (scheme !== 'http:' && scheme !== 'https:') return `${scheme}//`
  const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  return host.slice(host.lastIndexOf('@') + 1)
}

/**
 * Fills `{key}` and `{server}`. Inside `base64<[…]>` they are filled as they are, and the whole is encoded;
 * elsewhere they are written so that neither can leave its place in the address.
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
