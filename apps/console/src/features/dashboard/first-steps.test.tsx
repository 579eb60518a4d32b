import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../test/setup.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const PriceForm = ({ model }: { model: string }) => <p>price of {model}</p>
const forms = { channel: () => null, price: PriceForm, token: () => null }

const Steps = () => {
  const { isNeeded, isLoading: _, ...first } = useFirstSteps(true)
  return isNeeded ? <FirstSteps {...first} forms={forms} /> : null
}

const open = (models: string, priced: string[], user = { role: 10 }, status = 1) => {
  const list = (rows: unknown[]) =>
    data({ data: rows, page: 1, size: 1, total_count: rows.length, total_exact: true })
  const requests = serve(({ path, query }) => {
    if (path === '/api/status') return data({ server_address: '' })
    if (path === '/api/user/session') return data({ id: 1, username: 'ann', ...user })
    if (path === '/api/channel/')
      return list(
        [undefined, String(status)].includes(query.get('status') ?? undefined) ? [{ models }] : [],
      )
    if (path === '/api/available_model')
      return data(Object.fromEntries(priced.map(name => [name, {}])))
    if (path === '/api/token/') return list([{ id: 1, name: 'mine' }])
    return list([])
  })
  return show(<Steps />).then(() => requests)
}

it('the price step stays open and names the offered models without a price', async () => {
  await open('a,b,c,d,e,x*', ['a'])
  const step = (await screen.findByText('Without a price (4): b, c, d, …')).closest('li')!
  expect(within(step).queryByTitle('Done')).toBeNull()
  // One priced model is enough for the first call.
  expect(screen.getByText('Make the first call')).toBeTruthy()
  fireEvent.click(within(step).getByRole('button', { name: 'Set price' }))
  expect(await screen.findByText('price of b')).toBeTruthy()
})

it('the price step is done when every offered model has a price', async () => {
  await open('a,x*', ['a'])
  expect(await screen.findAllByTitle('Done')).toHaveLength(3)
  expect(screen.queryByText(/^Without a price/)).toBeNull()
})

it('the channel step stays open while the only channel is disabled, as it is before the last step', async () => {
  await open('a', [], { role: 10 }, 2)
  const step = (await screen.findByRole('button', { name: 'Add channel' })).closest('li')!
  expect(within(step).queryByTitle('Done')).toBeNull()
  expect(screen.queryByText('Make the first call')).toBeNull()
})

it('a super administrator is asked for the address of the site first, which the address bar suggests', async () => {
  const requests = await open('a,x*', ['a'], { role: 100 })
  fireEvent.click(await screen.findByRole('button', { name: 'Set address' }))
  const field = await screen.findByRole('textbox', { name: /Public address/ })
  expect(field).toHaveProperty('value', location.origin)
  fireEvent.change(field, { target: { value: 'https://hub.example' } })
  expect(screen.queryByRole('switch', { name: 'Local trial' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'PUT')).toMatchObject([
      { path: '/api/option/', body: { key: 'ServerAddress', value: 'https://hub.example' } },
    ]),
  )
})
