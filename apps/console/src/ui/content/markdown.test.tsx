// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { Markdown } from './markdown.tsx'

it.each([
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
])('%s is rendered harmless', async text => {
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
