// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { show } from '../test/setup.tsx'
import { Dialog } from './feedback/dialog.tsx'
import { useDialog } from './use-dialog.ts'

/** A dialog with an address, and a question above it that has none. */
const Dialogs = () => {
  const edit = useDialog('edit')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" onClick={() => edit.open(3)}>
        edit
      </button>
      <Dialog open={edit.isOpen} onClose={edit.close}>
        <h2>record {edit.id}</h2>
        <button type="button" onClick={() => setAsking(true)}>
          ask
        </button>
        <button type="button" onClick={edit.close}>
          close
        </button>
        <button
          type="button"
          onClick={() =>
            void Promise.resolve()
              .then(edit.close)
              .then(() => setAsking(true))
          }
        >
          save
        </button>
      </Dialog>
      <Dialog open={isAsking} onClose={() => setAsking(false)}>
        <h2>question</h2>
        <button type="button" onClick={() => setAsking(false)}>
          answer
        </button>
      </Dialog>
    </>
  )
}

const isOpen = (title: string) => screen.queryByText(title) !== null
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

const showDialogs = async (address: string) => {
  const router = await show(<Dialogs />, '/before')
  await act(() => router.navigate(address))
  const back = () => act(() => router.navigate(-1))
  const path = () => `${router.state.location.pathname}${router.state.location.search}`
  return { back, path }
}

it('the back button closes a dialog, and the next step back leaves the page', async () => {
  const { back, path } = await showDialogs('/page?keyword=x')
  await press('edit')
  expect(path()).toBe('/page?keyword=x&dialog=edit%3A3')
  expect(isOpen('record 3')).toBe(true)
  await back()
  expect(path()).toBe('/page?keyword=x')
  await back()
  expect(path()).toBe('/before')
})

it('a dialog that its own button closes leaves no entry in the history', async () => {
  const { back, path } = await showDialogs('/page')
  await press('edit')
  await press('close')
  expect(path()).toBe('/page')
  await back()
  expect(path()).toBe('/before')
})

it('a link opens a dialog, and closing it removes it from the address', async () => {
  const { path } = await showDialogs('/page?dialog=edit:3&keyword=x')
  expect(isOpen('record 3')).toBe(true)
  await press('close')
  expect(path()).toBe('/page?keyword=x')
})

it('the back button closes a question first, and then the dialog below it', async () => {
  const { back, path } = await showDialogs('/page')
  await press('edit')
  await press('ask')
  expect(isOpen('question')).toBe(true)
  await back()
  await expect.poll(() => isOpen('question')).toBe(false)
  expect(path()).toBe('/page?dialog=edit%3A3')
  await back()
  expect(path()).toBe('/page')
})

it('a question that is answered leaves no entry in the history', async () => {
  const { back, path } = await showDialogs('/page')
  await press('edit')
  await press('ask')
  await press('answer')
  await expect.poll(() => isOpen('question')).toBe(false)
  await back()
  expect(path()).toBe('/page')
})

it('a dialog that opens when another one closes stays open, as a key that is shown once', async () => {
  const { back, path } = await showDialogs('/page')
  await press('edit')
  await press('save')
  await expect.poll(() => isOpen('record 3')).toBe(false)
  expect(isOpen('question')).toBe(true)
  expect(path()).toBe('/page')
  await back()
  await expect.poll(() => isOpen('question')).toBe(false)
  expect(path()).toBe('/page')
})

/** These have no button that closes them, or appear without a click: Back does not close them either. */
const withoutBack = [
  'features/profile/pay/pay-dialog.tsx',
  'layout/session/other-ways/wechat-dialog.tsx',
  'layout/session/proof-dialog.tsx',
  'layout/session/sign-in-again.tsx',
]

it('every other dialog is the one that Back closes, not the one of the kit', () => {
  const folder = join(import.meta.dirname, '..')
  const users = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.tsx') && path !== 'ui/feedback/dialog.tsx')
    .filter(path => /^import Dialog from/m.test(readFileSync(join(folder, path), 'utf8')))
  expect(users.toSorted()).toEqual(withoutBack)
})
