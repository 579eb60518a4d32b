import { expect, it } from 'vitest'
import { Avatar } from './avatar.ts'

it('S4 a picture has a public https address and no user name', () => {
  for (const text of ['', 'https://avatars.example.com/u/1?v=4', ' https://a.example.org/x.png '])
    expect([text, Avatar.safeParse(text).success]).toEqual([text, true])
  const refused = [
    'http://avatars.example.com/u/1',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    '//avatars.example.com/u',
    'https://localhost/x.png',
    ...['local', 'localhost', 'internal', 'lan', 'home', 'arpa'].map(
      each => `https://printer.${each}/x.png`,
    ),
    'https://router/x.png',
    'https://192.168.0.1/x.png',
    'https://0x7f.1/x.png',
    'https://[::1]/x.png',
    'https://me:secret@avatars.example.com/',
    'https://me@avatars.example.com/',
    'https://:secret@avatars.example.com/',
    `https://avatars.example.com/${'x'.repeat(500)}`,
  ]
  for (const text of refused) expect([text, Avatar.safeParse(text).success]).toEqual([text, false])
})
