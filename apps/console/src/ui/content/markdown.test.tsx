// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { Markdown } from './markdown.tsx'

const harmful = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '<iframe src="https://evil.example"></iframe>',
  '<style>*{display:none}</style>',
  '<form action="https://evil.example"><input name="password"></form>',
  '<svg><script>alert(1)</script></svg>',
  '<div style="position:fixed;inset:0" onclick="alert(1)">x</div>',
  '<base href="https://evil.example">',
]

it.each(harmful)('%s is rendered harmless', async text => {
  await show(<Markdown text={`before ${text}`} />)
  expect(document.querySelector('p, div')?.textContent).toContain('before')
  const bad =
    'script, #root iframe, form, input, svg script, base, [onerror], [onclick], [href^="javascript"]'
  expect(document.body.querySelector(bad)).toBeNull()
  expect(document.body.querySelector('[style*="position"]')).toBeNull()
})

it('harmless HTML and Markdown are rendered', async () => {
  await show(<Markdown text={'# Hello\n\n<b>bold</b> and [a link](https://example.com)'} />)
  expect(screen.getByRole('heading', { name: 'Hello' })).toBeTruthy()
  expect(screen.getByRole('link').getAttribute('rel')).toContain('noopener')
})

it('an address becomes a sandboxed frame without access to the console', async () => {
  await show(<Markdown text=" https://example.com/about " title="About" />)
  const frame = screen.getByTitle('About')
  expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer')
})

it('an answer of a model that is only an address is a link, never a frame', async () => {
  await show(<Markdown text="https://example.com/about" from="model" />)
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://example.com/about')
  expect(document.querySelector('iframe')).toBeNull()
})

it('a picture in an answer of a model loads only after a click', async () => {
  const text = 'Look: ![a chart](https://pictures.example/c.png?chat=secret)'
  await show(<Markdown text={text} from="model" />)
  expect(document.querySelector('img')).toBeNull()
  fireEvent.click(
    screen.getByRole('button', { name: 'Load picture from pictures.example (a chart)' }),
  )
  const picture = screen.getByAltText('a chart')
  expect(picture.getAttribute('src')).toBe('https://pictures.example/c.png?chat=secret')
  expect(picture.getAttribute('referrerpolicy')).toBe('no-referrer')
})

it('a picture in a text of the site loads at once', async () => {
  await show(<Markdown text="![logo](https://pictures.example/l.png)" />)
  expect(screen.getByAltText('logo').getAttribute('src')).toBe('https://pictures.example/l.png')
})
