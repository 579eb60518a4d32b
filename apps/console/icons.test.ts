// @vitest-environment node

import WalletIcon from 'virtual:icons/account-balance-wallet'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { icons } from './icons.ts'

it('an icon is drawn with all its elements in the colour of the text', () => {
  const markup = renderToStaticMarkup(createElement(WalletIcon, { fontSize: 'small' }))
  expect(markup).toMatch(
    /<svg class="[^"]*MuiSvgIcon-fontSizeSmall[^"]*"[^>]*><path d="M[^"]+"><\/path><circle cx="16" cy="12" r="1.5"><\/circle><\/svg>/,
  )
})

it('a name that is no icon fails the build', async () => {
  const built = build({
    configFile: false,
    logLevel: 'silent',
    plugins: [icons()],
    build: { write: false, rolldownOptions: { input: 'virtual:icons/no-such-icon' } },
  })
  await expect(built).rejects.toThrow('@iconify-json/ic has no icon outline-no-such-icon.')
})
