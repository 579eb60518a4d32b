import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { startLanguage } from '../../locales/language.ts'
import { Root } from '../root.tsx'
import { addAnalytics } from './add-analytics.ts'
import { needsNewDocument } from './document.ts'

const page = (path: string, text: string) => ({ path, element: <p>{text}</p> })
const start = () => {
  const router = createMemoryRouter([
    {
      Component: Root,
      children: [page('/', 'Home'), page('/about', 'About'), page('/login', 'Password')],
    },
  ])
  render(<RouterProvider router={router} />)
  return (path: string) => act(() => router.navigate(path))
}

it('a page with a form is not shown in a document in which a visitor counter runs', async () => {
  await startLanguage('en_US')
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  expect(needsNewDocument('/login')).toBe(false)
  addAnalytics('<script async src="https://stats.example/s.js"></script><script>count()</script>')
  const sources = [...document.head.querySelectorAll('script')].map(each => each.src)
  expect(sources.map(each => new URL(each).pathname)).toEqual(['/s.js', '/api/analytics/1.js'])
  const go = start()
  await go('/about')
  expect(screen.getByText('About').textContent).toBe('About')
  expect(reload).not.toHaveBeenCalled()
  await go('/login')
  expect(screen.queryByText('Password')).toBeNull()
  expect(reload).toHaveBeenCalledOnce()
})
