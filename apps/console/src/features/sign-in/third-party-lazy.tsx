import Skeleton from '@mui/material/Skeleton'
import { lazy, Suspense } from 'react'
import { useSite } from '../../api'
import { loadTexts } from '../../locales/language.ts'

const Buttons = lazy(async () => {
  const [{ ThirdPartyButtons }] = await Promise.all([
    import('./third-party.tsx'),
    loadTexts('security'),
  ])
  return { default: ThirdPartyButtons }
})

/** Loads nothing on a site without third parties. */
export const ThirdParties = () => {
  const { github_oauth, lark_login, oidc_auth, custom_oauth_providers } = useSite()
  const builtIn = [github_oauth, lark_login, oidc_auth].filter(Boolean).length
  const count = builtIn + custom_oauth_providers.length
  return (
    count > 0 && (
      <Suspense fallback={<Loading count={count} />}>
        <Buttons />
      </Suspense>
    )
  )
}

const buttonHeight = 36
const gap = 12
const lineHeight = 21

/** As high as the buttons and the line below them, so that the form stays in place. */
const Loading = ({ count }: { count: number }) => (
  <Skeleton
    variant="rounded"
    height={count * (buttonHeight + gap) + lineHeight}
    sx={{ mb: 2.25 }}
    aria-hidden
  />
)
