import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { data, type Request, serve, show } from '../../../test/setup.tsx'
import { BatchActions } from './batch-actions.tsx'

const open = async (respond: (request: Request) => { status?: number; body: unknown }) => {
  const clear = vi.fn()
  const requests = serve(request =>
    request.path.startsWith('/api/channel/batch') ? respond(request) : data([]),
  )
  await show(<BatchActions ids={[1, 2, 3]} clear={clear} />)
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  return { clear, writes: () => requests.filter(each => each.method === 'PUT') }
}

const refused = {
  status: 422,
  body: {
    success: false,
    code: 'channel.batch_refused',
    message: 'Nothing was changed. #2 two: it has no key.',
    data: [{ id: 2, name: 'two', reason: 'no_key' }],
  },
}

it('a change is one request for all chosen channels, and clears the choice', async () => {
  const { clear, writes } = await open(() => data(3))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Enable' }))
  await screen.findByText('Channels changed: 3')
  expect(writes()).toMatchObject([
    { path: '/api/channel/batch/status', body: { ids: [1, 2, 3], status: 1 } },
  ])
  expect(clear).toHaveBeenCalledOnce()
})

it('channels that refuse are listed with their reason and can be left out', async () => {
  const { clear, writes } = await open(({ body }) =>
    (body as { ids: number[] }).ids.includes(2) ? refused : data(2),
  )
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Enable' }))
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Channels that cannot be changed: 1' }),
  )
  expect(dialog.getByRole('listitem').textContent).toBe('two (2)It has no key. Enter one first.')
  expect(clear).not.toHaveBeenCalled()
  fireEvent.click(dialog.getByRole('button', { name: 'Change the other 2' }))
  await screen.findByText('Channels changed: 2')
  expect(writes().map(each => each.body)).toEqual([
    { ids: [1, 2, 3], status: 1 },
    { ids: [1, 3], status: 1 },
  ])
  expect(clear).toHaveBeenCalledOnce()
})

it('models are added by default, and the form sends them as a list with commas', async () => {
  const { writes } = await open(() => data(3))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Models' }))
  const form = within(await screen.findByRole('dialog', { name: 'Models of 3 channels' }))
  const field = form.getByRole('combobox', { name: /Models/ })
  fireEvent.change(field, { target: { value: 'gpt-a, gpt-b,' } })
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Channels changed: 3')
  expect(writes()[0]).toMatchObject({
    path: '/api/channel/batch/models',
    body: { ids: [1, 2, 3], action: 'add', models: 'gpt-a,gpt-b' },
  })
})
