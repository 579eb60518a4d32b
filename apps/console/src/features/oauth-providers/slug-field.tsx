import Box from '@mui/material/Box'
import type { ControlProps } from '../../ui/form/types.ts'
import { Control, useT } from '../../ui/index.ts'
import { CallbackAddress } from './callback-address.tsx'

/** The identifier of a provider, with the callback address that follows from it. */
export const SlugField = (props: ControlProps) => {
  const t = useT()
  const slug = String(props.value ?? '')
  return (
    <Box>
      <Control {...props} placeholder="company" />
      {slug !== '' && !props.invalid && (
        <Box sx={{ mt: 0.5, fontSize: 12, color: 'text.secondary' }}>
          {t('oauth-providers.callback')}: <CallbackAddress slug={slug} />
        </Box>
      )}
    </Box>
  )
}
