import DoneIcon from 'virtual:icons/check'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { visuallyHidden } from '@mui/utils'
import { useT } from '../../../ui/index.ts'
import type { StepNumber } from './draft.ts'

const steps = [1, 2, 3] as const
const phone = '@media (max-width: 599.95px)'

type Props = {
  current: StepNumber
  /** Goes back to a step that is done. */
  open: (step: StepNumber) => void
}

export const StepList = ({ current, open }: Props) => {
  const t = useT()
  return (
    <Box component="ol" aria-label={t('channel-create.steps.label')} sx={list}>
      {steps.map(step => (
        <Box
          key={step}
          component="li"
          aria-current={step === current ? 'step' : undefined}
          sx={{ flex: { xs: step === current ? 1 : 'none', sm: 1 }, minWidth: 0 }}
        >
          <ButtonBase
            disabled={step >= current}
            onClick={() => open(step)}
            sx={{ ...button, color: step > current ? 'text.secondary' : 'text.primary' }}
          >
            <Box component="span" aria-hidden sx={{ ...circle, ...(step <= current && reached) }}>
              {step < current ? <DoneIcon sx={{ fontSize: 15 }} /> : step}
            </Box>
            <Box
              component="span"
              sx={{
                fontWeight: step === current ? 600 : 400,
                textAlign: 'left',
                // A phone has room for one name; screen readers have all.
                ...(step !== current && { [phone]: visuallyHidden }),
              }}
            >
              {t(`channel-create.steps.${step}`)}
            </Box>
          </ButtonBase>
        </Box>
      ))}
    </Box>
  )
}

const list = { display: 'flex', gap: 1, listStyle: 'none', m: 0, mb: 3, p: 0 }
const button = {
  display: 'flex',
  justifyContent: 'flex-start',
  gap: 1,
  width: '100%',
  minHeight: 44,
  px: 1,
  fontSize: 14,
  borderRadius: '8px',
  '&.Mui-focusVisible': { bgcolor: 'action.focus' },
}
const circle = {
  display: 'grid',
  placeItems: 'center',
  flexShrink: 0,
  width: 24,
  height: 24,
  fontSize: 12,
  fontWeight: 600,
  borderRadius: '50%',
  border: '1px solid',
  borderColor: 'divider',
}
const reached = {
  bgcolor: 'primary.main',
  borderColor: 'primary.main',
  color: 'primary.contrastText',
}
