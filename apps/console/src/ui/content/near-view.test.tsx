import { act, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { show } from '../../test/setup.tsx'
import { NearView } from './near-view.tsx'

afterEach(() => void vi.unstubAllGlobals())

it('the children appear when they come near the visible part of the page', async () => {
  const reports: ((entries: { isIntersecting: boolean }[]) => void)[] = []
  const disconnect = vi.fn()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: (typeof reports)[number]) {
        reports.push(report)
      }
      observe = vi.fn()
      disconnect = disconnect
    },
  )
  await show(<NearView height={100}>drawn</NearView>)
  act(() => reports[0]!([{ isIntersecting: false }]))
  expect(screen.queryByText('drawn')).toBeNull()
  act(() => reports[0]!([{ isIntersecting: true }]))
  expect(screen.getByText('drawn')).toBeTruthy()
  expect(disconnect).toHaveBeenCalled()
})
