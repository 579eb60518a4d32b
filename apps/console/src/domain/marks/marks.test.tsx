import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { initialsOf } from './mark.tsx'
import { ModelName } from './model-name.tsx'
import { ProviderMark } from './provider-mark.tsx'

const provider = async (props: Parameters<typeof ProviderMark>[0]) => {
  await show(
    <div data-testid="place">
      <ProviderMark {...props} />
    </div>,
  )
  return screen.getByTestId('place')
}

it('a mark with colours is an image of a fixed size that says nothing beside the name', async () => {
  const place = await provider({ type: 17, name: 'Qwen' })
  const image = place.querySelector('img')
  expect(image?.getAttribute('src')).toBe('/marks/qwen-color.svg')
  expect([image?.width, image?.height, image?.alt]).toEqual([20, 20, ''])
})

it('a mark without colours takes that of the text', async () => {
  const place = await provider({ type: 1, name: 'OpenAI', size: 24 })
  const mark = place.querySelector<HTMLElement>('[data-mark="openai"]')
  expect(mark?.style.maskImage).toContain('/marks/openai.svg')
  expect([mark?.style.width, mark?.style.height]).toEqual(['24px', '24px'])
})

it('a type without a mark shows initials that are no text of the page', async () => {
  const place = await provider({ type: 8, name: 'Custom channel' })
  expect(place.querySelector('[data-initials="CC"]')).not.toBeNull()
  expect(place.textContent).toBe('')
})

it('the image that an administrator set replaces the mark, but only from an address of the web', async () => {
  const own = await provider({ type: 1, name: 'OpenAI', icon: 'https://cdn.example.com/own.png' })
  expect(own.querySelector('img')?.src).toBe('https://cdn.example.com/own.png')
  expect(own.querySelector('[data-mark]')).toBeNull()
})

it('an icon of another scheme is ignored', async () => {
  const place = await provider({ type: 1, name: 'OpenAI', icon: 'javascript:alert(1)' })
  expect(place.querySelector('img')).toBeNull()
  expect(place.querySelector('[data-mark="openai"]')).not.toBeNull()
})

it('a model has the mark of its family before its name, and the whole name on hover where it is cut', async () => {
  await show(<ModelName name="claude-sonnet-4-5" width={120} />)
  const name = screen.getByText('claude-sonnet-4-5')
  expect(name.title).toBe('claude-sonnet-4-5')
  expect(name.previousElementSibling?.getAttribute('src')).toBe('/marks/claude-color.svg')
})

it.each([
  ['Custom 自定义渠道', 'CU'],
  ['My Company', 'MC'],
  ['smart', 'SM'],
  ['any:*', 'AN'],
  ['自有模型', '自'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
