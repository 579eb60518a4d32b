import type { User } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { type FormEvent, useId, useState } from 'react'
import { api, errorText, useSite } from '../../api/index.ts'
import { formatQuota, Quota } from '../../domain/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, formatCount, useAction, useT } from '../../ui/index.ts'
import { type Direction, planBalanceChange } from './balance-change.ts'

type Props = { user: User; onClose: () => void }

/** The form state of a balance change, its validation and its submission. */
const useBalanceForm = ({ user, onClose }: Props) => {
  const t = useT()
  const site = useSite()
  const [direction, setDirection] = useState<Direction>('add')
  const [amount, setAmount] = useState('')
  const [remark, setRemark] = useState('')
  const [touched, setTouched] = useState(false)
  const [serverError, setServerError] = useState('')
  const change = useAction('users', api.users.quota, { successKey: 'users.quota.done' })

  const plan = planBalanceChange(amount, direction, user.quota, site.quota_per_unit)
  const balance = formatQuota(user.quota, site)
  const problem =
    plan.problem && touched && (amount !== '' || serverError === '')
      ? t(`users.quota.errors.${plan.problem}`, { balance })
      : undefined

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTouched(true)
    setServerError('')
    if (plan.problem !== undefined) return
    try {
      await change.attempt({ id: user.id, quota: plan.points, remark })
      onClose()
    } catch (error) {
      setServerError(errorText(t, error).text)
    }
  }
  return {
    ...{ direction, setDirection, amount, setAmount, remark, setRemark, setTouched },
    ...{ plan, problem, serverError, submit },
    isPending: change.isPending,
  }
}
type BalanceForm = ReturnType<typeof useBalanceForm>

/** Adds to a balance or deducts from it, with a preview of the new balance. */
export const QuotaDialog = ({ user, onClose }: Props) => {
  const t = useT()
  const titleId = useId()
  const form = useBalanceForm({ user, onClose })
  const { direction, plan, serverError, submit } = form
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('users.quota.title', { name: user.username })}</DialogTitle>
      <form onSubmit={event => void submit(event)} noValidate>
        <DialogContent sx={{ pt: 1 }}>
          <Stack spacing={2.5}>
            <BalanceFields form={form} />
            <BeforeAfter before={user.quota} after={plan.problem ? undefined : plan.after} />
            {serverError && (
              <Alert severity="error" variant="outlined">
                {serverError}
              </Alert>
            )}
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button color="inherit" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={direction === 'deduct' ? 'error' : 'primary'}
            loading={form.isPending}
          >
            {t(`users.quota.action.${direction}`)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const BalanceFields = ({ form }: { form: BalanceForm }) => {
  const t = useT()
  const { direction, setDirection, amount, setAmount, setTouched, plan, problem } = form
  return (
    <>
      <ToggleButtonGroup
        exclusive
        fullWidth
        size="small"
        aria-label={t('users.quota.direction')}
        value={direction}
        onChange={(_, next: Direction | null) => next && setDirection(next)}
      >
        <ToggleButton value="add">{t('users.quota.add')}</ToggleButton>
        <ToggleButton value="deduct">{t('users.quota.deduct')}</ToggleButton>
      </ToggleButtonGroup>
      <Field
        label={t('users.quota.amount')}
        required
        error={problem}
        help={
          plan.problem
            ? undefined
            : t('users.quota.points', { value: formatCount(Math.abs(plan.points)) })
        }
      >
        {({ id, describedBy, invalid }) => (
          <OutlinedInput
            id={id}
            fullWidth
            autoFocus
            value={amount}
            error={invalid}
            startAdornment={<InputAdornment position="start">$</InputAdornment>}
            inputProps={{
              inputMode: 'decimal',
              'aria-describedby': describedBy,
              autoComplete: 'off',
            }}
            onChange={event => setAmount(event.target.value)}
            onBlur={() => amount !== '' && setTouched(true)}
          />
        )}
      </Field>
      <Field label={t('users.quota.remark')} help={t('users.quota.remarkHelp')}>
        {({ id, describedBy }) => (
          <OutlinedInput
            id={id}
            fullWidth
            value={form.remark}
            inputProps={{ maxLength: 200, 'aria-describedby': describedBy }}
            onChange={event => form.setRemark(event.target.value)}
          />
        )}
      </Field>
    </>
  )
}

const BeforeAfter = ({ before, after }: { before: number; after: number | undefined }) => {
  const t = useT()
  return (
    <Stack
      direction="row"
      aria-live="polite"
      sx={{ p: 1.5, borderRadius: '8px', border: '1px solid', borderColor: 'divider' }}
    >
      <Box sx={{ flex: 1 }}>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{t('users.quota.before')}</Box>
        <Quota value={before} />
      </Box>
      <Box sx={{ flex: 1 }}>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{t('users.quota.after')}</Box>
        <Box component="strong" sx={{ fontWeight: 600 }}>
          {after === undefined ? '–' : <Quota value={after} />}
        </Box>
      </Box>
    </Stack>
  )
}
