// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useT } from '../../locales/use-t.ts'
import { show } from '../../test/setup.tsx'
import { CallPrice, secondPrices } from './call-price.tsx'
import type { PriceView } from './price.ts'
import { toolName } from './tool-name.ts'

const view: PriceView = { unit: 'usd', scale: 'm' }
const video = { type: 'times' as const, input: 0, tool_prices: { second_720p: 0.1, second: 0.05 } }

const Names = ({ kinds }: { kinds: string[] }) => {
  const t = useT()
  return kinds.map(kind => <p key={kind}>{toolName(t, kind)}</p>)
}

it('names the units that videos are sold by, and leaves what it does not know', async () => {
  const kinds = [
    'second',
    'second_720p',
    'second_std_audio',
    'second_audio',
    'second_4k_silent',
    'seconds',
  ]
  await show(<Names kinds={kinds} />)
  const texts = [...document.querySelectorAll('p')].map(each => each.textContent)
  expect(texts).toEqual([
    ...['Second of video', 'Second of video · 720p', 'Second of video · standard · with sound'],
    ...['Second of video · with sound', 'Second of video · 4k · without sound', 'seconds'],
  ])
})

it('a model that is sold by the second does not look free', async () => {
  await show(<CallPrice price={video} groupRatio={2} view={view} />)
  expect(screen.getByText('from $0.1 / second')).toBeTruthy()
  expect(screen.queryByText('Free')).toBeNull()
})

it('a price per call wins over seconds, and tokens have no price per second', () => {
  expect(secondPrices({ ...video, input: 3 })).toEqual([])
  expect(secondPrices({ ...video, type: 'tokens' })).toEqual([])
  expect(secondPrices({ ...video, tool_prices: { web_search: 1 } })).toEqual([])
})
