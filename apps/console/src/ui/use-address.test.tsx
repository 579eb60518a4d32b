// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../test/setup.tsx'
import { useListState } from './table/state/list-state.ts'
import { useAddressText, useChoice } from './use-address.ts'

const Choices = () => {
  const [unit, setUnit] = useChoice('unit', ['usd', 'cny'])
  const [, setText] = useAddressText('text')
  const list = useListState({ resource: 'things', filterKeys: ['name', 'kind'], order: 'id' })
  const actions = {
    cny: () => setUnit('cny'),
    usd: () => setUnit('usd'),
    text: () => setText('a b'),
    name: () => list.setFilter('name', 'n'),
    kind: () => list.setFilter('kind', 'k'),
    order: () => list.setOrder('-id'),
    third: () => list.setPage(3, 'cursor'),
    open: () => list.setOpen('7'),
    clear: list.clearFilters,
  }
  return (
    <>
      <output>{unit}</output>
      {Object.entries(actions).map(([name, run]) => (
        <button key={name} type="button" onClick={run}>
          {name}
        </button>
      ))}
    </>
  )
}

/** Clicks without a render in between, as a quick user or a busy page does. */
const clickAll = (...names: string[]) =>
  act(async () => {
    for (const name of names) screen.getByRole('button', { name }).click()
  })

it('changes that are not rendered yet stay in the address, and the hash too', async () => {
  const router = await show(<Choices />, '/page?other=1#tab')
  await clickAll('cny', 'text', 'open')
  expect(router.state.location).toMatchObject({
    pathname: '/page',
    search: '?other=1&unit=cny&text=a+b&open=7',
    hash: '#tab',
  })
  expect(screen.getByRole('status').textContent).toBe('cny')
})

it('filters of a list that are set before a render are both in the address, on the first page', async () => {
  const router = await show(<Choices />, '/?page=2&after=x&open=7')
  await clickAll('name', 'kind', 'order', 'cny')
  expect(router.state.location.search).toBe('?open=7&name=n&kind=k&order=-id&unit=cny')
  await clickAll('third', 'text')
  expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toMatchObject({
    ...{ page: '3', after: 'cursor', name: 'n', text: 'a b' },
  })
  await clickAll('clear', 'usd')
  expect(router.state.location.search).toBe('?open=7&order=-id&unit=usd&text=a+b')
})

it('a choice replaces the address, and a filter can be undone by the back button', async () => {
  const router = await show(<Choices />, '/')
  await clickAll('cny', 'name', 'text')
  expect(router.state.location.search).toBe('?unit=cny&name=n&text=a+b')
  await act(() => router.navigate(-1))
  expect(router.state.location.search).toBe('?unit=cny')
})
