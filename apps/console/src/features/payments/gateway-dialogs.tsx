import type { Gateway } from '@hub/contract'
import Button from '@mui/material/Button'
import { lazy, Suspense, useState } from 'react'
import { useRightRefusal } from '../../api/site.ts'
import { DisabledFormButton } from '../../ui/form/dialog/form-dialog.tsx'
import { useT } from '../../ui/index.ts'

const NewGatewayForm = lazy(async () => ({
  default: (await import('./gateway-form.tsx')).NewGatewayForm,
}))
const GatewayForm = lazy(async () => ({
  default: (await import('./gateway-form.tsx')).GatewayForm,
}))

/** The forms are loaded when they open, because most visits of the page read only. */
export const CreateGateway = () => {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const refusal = useRightRefusal('gateways')
  const title = t('payments.create')
  if (refusal) return <DisabledFormButton label={title} reason={refusal} />
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        {title}
      </Button>
      {isOpen && (
        <Suspense>
          <NewGatewayForm close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export const EditGateway = (props: { gateway: Gateway; close: () => void }) => (
  <Suspense>
    <GatewayForm {...props} />
  </Suspense>
)
