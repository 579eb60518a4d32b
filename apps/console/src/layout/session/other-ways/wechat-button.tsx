import type { SignInResult } from '@hub/contract'
import Button from '@mui/material/Button'
import { lazy, Suspense, useState } from 'react'
import { loadTexts } from '../../../locales/language.ts'
import { useT } from '../../../ui'

const WeChatDialog = lazy(async () => {
  const [{ WeChatDialog }] = await Promise.all([
    import('./wechat-dialog.tsx'),
    loadTexts('security'),
  ])
  return { default: WeChatDialog }
})

/** Signs in by a code of the official account of WeChat. */
export const WeChatButton = ({ finish }: { finish: (result: SignInResult) => void }) => {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        size="large"
        fullWidth
        onClick={() => setIsOpen(true)}
      >
        {t('sign-in.wechat.action')}
      </Button>
      {isOpen && (
        <Suspense>
          <WeChatDialog finish={finish} close={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
