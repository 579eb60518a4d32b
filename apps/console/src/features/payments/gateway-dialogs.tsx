import type { Gateway } from '@hub/contract'
import Button from '@mui/material/Button'
import { lazy, Suspense } from 'react'
import { useRightRefusal } from '../../api/site.ts'
import { DialogButton, DisabledFormButton } from '../../ui/form/dialog/form-dialog.tsx'
import { useDialog, useT } from '../../ui/index.ts'

const NewGatewayForm = lazy(async () => ({
  default: (await import('./gateway-form.tsx')).NewGatewayForm,
}))
const GatewayForm = lazy(async () => ({
  default: (await import('./gateway-form.tsx')).GatewayForm,
}))

/** Opens the form of `CreateGateway` from the empty list. */
export const CreateGatewayButton = () => {
  const t = useT()
  const refusal = useRightRefusal('gateways')
  const title = t('payments.create')
  if (refusal) return <DisabledFormButton label={title} reason={refusal} />
  return <DialogButton address="create">{title}</DialogButton>
}

/** The forms are loaded when they open, because most visits of the page read only. */
export const CreateGateway = () => {
  const t = useT()
  const { isOpen, open, close } = useDialog('create')
  const refusal = useRightRefusal('gateways')
  const title = t('payments.create')
  if (refusal) return <DisabledFormButton label={title} reason={refusal} />
  return (
    <>
      <Button variant="contained" onClick={() => open()}>
        {title}
      </Button>
      {isOpen && (
        <Suspense>
          <NewGatewayForm close={close} />
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
