import type { Price, PricePlan, SyncMode } from '@hub/contract'
import CloseIcon from '@mui/icons-material/CloseOutlined'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, errorText, isApiError, useAction } from '../../../api/index.ts'
import { ErrorState, notify, useT, type View } from '../../../ui/index.ts'
import { ModeChoice } from './mode.tsx'
import { PlanView } from './plan-view.tsx'
import { isSharp } from './sharp.ts'
import { SourceStep } from './source.tsx'

export type List = {
  prices: Price[]
  format: string
  skipped: { model: string; why: string }[]
}

/** Prices from a list: read it, see every change, then apply what was seen. */
export const SyncDialog = ({ view, onClose }: { view: View; onClose: () => void }) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const [list, setList] = useState<List>()
  return (
    <Dialog
      open
      onClose={onClose}
      fullScreen={isPhone}
      maxWidth="md"
      fullWidth
      aria-labelledby={id}
    >
      <DialogTitle id={id} sx={{ pr: 7 }}>
        {t('prices.sync.title')}
      </DialogTitle>
      <IconButton
        aria-label={t('common.close')}
        onClick={onClose}
        sx={{ position: 'absolute', right: 12, top: 12 }}
      >
        <CloseIcon />
      </IconButton>
      {list ? (
        <Preview {...{ list, view, onClose }} again={() => setList(undefined)} />
      ) : (
        <SourceStep onRead={setList} />
      )}
    </Dialog>
  )
}

type PreviewProps = { list: List; view: View; onClose: () => void; again: () => void }

const Preview = ({ list, view, onClose, again }: PreviewProps) => {
  const t = useT()
  const id = useId()
  const [mode, setMode] = useState<SyncMode>('add')
  const [seen, setSeen] = useState<string>()
  const plan = useQuery({
    // Not the list itself: thousands of prices are no key.
    queryKey: ['prices', 'preview', mode, id],
    queryFn: ({ signal }) => api.prices.preview({ mode, prices: list.prices }, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const apply = useAction(['prices', 'models'], api.prices.sync, { done: 'prices.sync.done' })
  const data = plan.data
  const sharp = data?.changes.filter(isSharp).length ?? 0
  const isRead = sharp === 0 || seen === data?.digest

  const run = async ({ digest }: PricePlan) => {
    try {
      await apply.attempt({ updateMode: mode, prices: list.prices, digest })
      onClose()
    } catch (error) {
      if (isApiError(error) && error.code === 'price.changed') {
        notify.info(t('prices.sync.stale'))
        void plan.refetch()
      } else notify.error(errorText(t, error).text)
    }
  }

  return (
    <>
      <DialogContent>
        <Stack spacing={2}>
          <Stack
            direction="row"
            sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1, flexWrap: 'wrap' }}
          >
            <span>
              {t('prices.sync.found', {
                count: list.prices.length,
                format: list.format === 'one-hub' ? 'One Hub' : 'New API',
              })}
            </span>
            <Button size="small" color="inherit" onClick={again}>
              {t('prices.sync.again')}
            </Button>
          </Stack>
          {list.skipped.length > 0 && <Skipped list={list} />}
          <ModeChoice mode={mode} setMode={setMode} />
          {plan.isError && <ErrorState error={plan.error} retry={() => void plan.refetch()} />}
          {data && <PlanView key={data.digest} plan={data} view={view} />}
          {data && sharp > 0 && (
            <Alert
              severity="warning"
              variant="outlined"
              action={
                <Button
                  size="small"
                  color="inherit"
                  disabled={isRead}
                  onClick={() => setSeen(data.digest)}
                >
                  {t('prices.sync.sharpRead')}
                </Button>
              }
            >
              {t('prices.sync.sharp', { count: sharp })}
            </Alert>
          )}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          variant="contained"
          disabled={!data || data.changes.length === 0 || !isRead || plan.isFetching}
          loading={apply.isPending}
          onClick={() => data && void run(data)}
        >
          {t('prices.sync.apply', { count: data?.changes.length ?? 0 })}
        </Button>
      </DialogActions>
    </>
  )
}

const Skipped = ({ list }: { list: List }) => {
  const t = useT()
  return (
    <Alert severity="warning" variant="outlined">
      <details>
        <summary>{t('prices.sync.skipped', { count: list.skipped.length })}</summary>
        <ul style={{ margin: '8px 0 0', paddingInlineStart: 20 }}>
          {list.skipped.slice(0, 100).map(({ model, why }) => (
            <li key={`${model} ${why}`}>
              {model || '–'}: {why}
            </li>
          ))}
        </ul>
      </details>
    </Alert>
  )
}
