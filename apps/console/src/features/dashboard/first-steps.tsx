import DoneIcon from 'virtual:icons/check-circle'
import type { Token } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Card, useT } from '../../ui'
import { FirstCall } from './first-call.tsx'
import type { StepId, Steps } from './use-first-steps.ts'

const AddressForm = lazy(async () => ({
  default: (await import('../../domain/site/address-form.tsx')).AddressForm,
}))

/** The forms of other features, passed in by the router so that this feature does not import them. */
export type FirstForms = {
  channel: ComponentType<{ onClose: () => void }>
  price: ComponentType<{ model: string; onClose: () => void }>
  token: ComponentType<{ onCreated: (token: Token) => void; onClose: () => void }>
}
type Props = {
  steps: Steps
  unpriced: readonly string[]
  isReady: boolean
  forms: FirstForms
}

/** The setup steps of a new installation, followed by the first call. */
export const FirstSteps = ({ steps, unpriced, isReady, forms }: Props) => {
  const t = useT()
  const [openForm, setOpenForm] = useState<StepId>()
  const [createdToken, setCreatedToken] = useState<Token>()
  const next = steps.find(each => !each.done)
  const close = () => setOpenForm(undefined)
  return (
    <Card title={t('dashboard.first.title')} intro={t('dashboard.first.text')}>
      <Box
        component="ol"
        sx={{ ...list, gridTemplateColumns: { md: `repeat(${steps.length}, 1fr)` } }}
      >
        {steps.map((step, index) => (
          <Step
            key={step.id}
            {...step}
            number={index + 1}
            isNext={step === next}
            note={
              step.id === 'price' && unpriced.length > 0
                ? t('dashboard.first.price.missing', {
                    count: unpriced.length,
                    names: listNames(unpriced),
                  })
                : ''
            }
            open={() => setOpenForm(step.id)}
          />
        ))}
      </Box>
      {isReady && <FirstCall createdToken={createdToken} />}
      <Suspense fallback={null}>
        {openForm === 'address' && <AddressForm onClose={close} />}
        {openForm === 'channel' && <forms.channel onClose={close} />}
        {openForm === 'price' && <forms.price model={unpriced[0] ?? ''} onClose={close} />}
        {openForm === 'token' && <forms.token onCreated={setCreatedToken} onClose={close} />}
      </Suspense>
    </Card>
  )
}

const list = {
  listStyle: 'none',
  p: 0,
  m: 0,
  display: 'grid',
  gap: 2,
}

const listNames = (names: readonly string[]) =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')

type StepProps = {
  id: StepId
  number: number
  done: boolean
  isNext: boolean
  /** The sentence that names a missing part of the step; empty if the step is complete. */
  note: string
  open: () => void
}

const Step = ({ id, number, done, isNext, note, open }: StepProps) => {
  const t = useT()
  return (
    <Box
      component="li"
      aria-current={isNext ? 'step' : undefined}
      sx={{
        border: '1px solid',
        borderColor: isNext ? 'primary.main' : 'divider',
        borderRadius: '10px',
        p: 2,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'flex-start',
        gap: 0.75,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        {done ? (
          <DoneIcon color="success" titleAccess={t('dashboard.first.done')} sx={{ fontSize: 22 }} />
        ) : (
          <Box component="span" aria-hidden sx={stepNumber}>
            {number}
          </Box>
        )}
        <Typography component="h3" sx={{ fontWeight: 600 }}>
          {t(`dashboard.first.${id}.title`)}
        </Typography>
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', flex: 1 }}>
        {t(`dashboard.first.${id}.text`)}
      </Typography>
      {note && (
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {note}
        </Typography>
      )}
      {!done && (
        <Button
          size="small"
          variant={isNext ? 'contained' : 'outlined'}
          aria-haspopup="dialog"
          sx={{ mt: 0.5, width: { xs: '100%', sm: 'auto' }, minHeight: { xs: 44, sm: 32 } }}
          onClick={open}
        >
          {t(`dashboard.first.${id}.action`)}
        </Button>
      )}
    </Box>
  )
}

const stepNumber = {
  width: 22,
  height: 22,
  borderRadius: '50%',
  border: '1px solid',
  borderColor: 'divider',
  display: 'grid',
  placeItems: 'center',
  fontSize: 12,
  fontWeight: 600,
}
