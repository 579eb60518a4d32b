import { expect, it } from 'vitest'
import {
  buildChatLink,
  chatLinks,
  defaultChatLinks,
  isSafeLink,
  linkDestination,
} from './chat-links.ts'

const values = { key: 'sk-a_b-C', server: 'https://hub.example.com' }

it('key and server are inserted URL-encoded', () => {
  expect(buildChatLink('ama://set-api-key?server={server}&key={key}', values)).toBe(
    'ama://set-api-key?server=https%3A%2F%2Fhub.example.com&key=sk-a_b-C',
  )
})

it('a key cannot change other parts of the link', () => {
  const link = buildChatLink('https://chat.example/?key={key}', {
    ...values,
    key: 'a&b=c#{server}$&',
  })
  expect(link).toBe('https://chat.example/?key=a%26b%3Dc%23%7Bserver%7D%24%26')
})

it('the content of base64<[ ]> is encoded as a whole', () => {
  const link = buildChatLink(
    'cherrystudio://providers/api-keys?v=1&data=base64<[{"baseUrl":"{server}","apiKey":"{key}"}]>',
    values,
  )
  const data = decodeURIComponent(link.split('data=')[1]!)
  expect(JSON.parse(atob(data))).toEqual({ baseUrl: values.server, apiKey: values.key })
})

it('links that could run a script are refused', () => {
  for (const url of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:https://a/b',
    'file:///etc/passwd',
    'filesystem:https://a/temporary/x.html',
    'about:blank',
    'view-source:https://a',
    'no scheme',
    '//host/path',
    '',
  ])
    expect(isSafeLink(url), url).toBe(false)
  for (const url of ['https://a.example', 'opencat://x', 'cherrystudio://x'])
    expect(isSafeLink(url), url).toBe(true)
})

it('the receiver of a key is its host or the scheme of the application', () => {
  expect(linkDestination('https://app.nextchat.dev/#/?settings=1')).toBe('app.nextchat.dev')
  expect(linkDestination('https://good.example@evil.example/x')).toBe('evil.example')
  expect(linkDestination('opencat://team/join')).toBe('opencat://')
})

it('a site without links offers the four defaults, shown ones first', () => {
  const none = { chat_links: '', chat_link: '' }
  expect(chatLinks(none)).toEqual(defaultChatLinks)
  expect(chatLinks({ chat_links: '{broken', chat_link: '' })).toHaveLength(4)
  expect(chatLinks({ chat_links: '', chat_link: 'https://own.example/{key}' })[0]!.url).toBe(
    'https://own.example/{key}',
  )
})

it('configured links are sorted, and invalid or unsafe links are left out', () => {
  const chat_links = JSON.stringify([
    { name: 'Second', url: 'https://b.example', show: true, sort: 2 },
    { name: 'Hidden', url: 'https://c.example', show: false, sort: 1 },
    { name: 'First', url: 'https://a.example', show: true, sort: 1 },
    { name: 'Evil', url: 'javascript:alert(1)', show: true, sort: 0 },
    { name: '', url: 'https://d.example' },
    null,
    'text',
  ])
  const names = chatLinks({ chat_links, chat_link: '' }).map(link => link.name)
  expect(names).toEqual(['First', 'Second', 'Hidden'])
})
