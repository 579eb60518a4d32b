import type { Price, PricePlan, SyncMode } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, errorText, isApiError } from '../../../api/index.ts'
import type { PriceView } from '../../../domain/index.ts'
import { ListSource, SkippedEntries, type SkippedEntry } from '../../../domain/list-source.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogCloseButton, ErrorState, notify, useAction, useT } from '../../../ui/index.ts'
import { isLargeChange } from './large-change.ts'
import { ModeChoice } from './mode.tsx'
import { PlanView } from './plan-view.tsx'

/** A price list as the server parsed it; `skipped` lists entries that cannot be used. */
type PriceList = {
  prices: Price[]
  format: string
  skipped: SkippedEntry[]
}

/** Updates prices from a list in three steps: read the list, preview the changes, apply them. */
export const SyncDialog = ({ view, onClose }: { view: PriceView; onClose: () => void }) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const [list, setList] = useState<PriceList>()
  const read = useAction([], api.prices.read, { onSuccess: setList })
  const shipped = useAction([], api.prices.list, {
    onSuccess: prices => setList({ prices, format: 'shipped', skipped: [] }),
  })
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
      <DialogCloseButton onClick={onClose} />
      {list ? (
        <Preview {...{ list, view, onClose }} chooseAnother={() => setList(undefined)} />
      ) : (
        <ListSource
          texts="prices.sync"
          isReading={read.isPending || shipped.isPending}
          read={source => void read(source)}
          readShipped={() => void shipped({ type: 'default' })}
        />
      )}
    </Dialog>
  )
}

type PreviewProps = {
  list: PriceList
  view: PriceView
  onClose: () => void
  chooseAnother: () => void
}

/** The plan for the selected mode, and the action that applies exactly this plan. */
const useSyncPlan = (list: PriceList, onClose: () => void) => {
  const t = useT()
  const id = useId()
  const [mode, setMode] = useState<SyncMode>('add')
  const plan = useQuery({
    // The list is not part of the key, because it may have thousands of prices.
    queryKey: ['prices', 'preview', mode, id],
    queryFn: ({ signal }) => api.prices.preview({ mode, prices: list.prices }, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const sync = useAction(['prices', 'models'], api.prices.sync, { successKey: 'prices.sync.done' })

  const apply = async ({ digest }: PricePlan) => {
    try {
      await sync.attempt({ updateMode: mode, prices: list.prices, digest })
      onClose()
    } catch (error) {
      if (isApiError(error) && error.code === 'price.changed') {
        notify.info(t('prices.sync.stale'))
        void plan.refetch()
      } else notify.error(errorText(t, error).text)
    }
  }
  return { mode, setMode, plan, apply, isApplying: sync.isPending }
}

const Preview = ({ list, view, onClose, chooseAnother }: PreviewProps) => {
  const t = useT()
  const { mode, setMode, plan, apply, isApplying } = useSyncPlan(list, onClose)
  const [checkedDigest, setCheckedDigest] = useState<string>()
  const data = plan.data
  const largeChanges = data?.changes.filter(isLargeChange).length ?? 0
  const isChecked = largeChanges === 0 || checkedDigest === data?.digest
  return (
    <>
      <DialogContent sx={{ pt: 0 }}>
        <Stack spacing={2}>
          <ListSummary {...{ list, chooseAnother }} />
          <SkippedEntries
            summary={t('prices.sync.skipped', { count: list.skipped.length })}
            entries={list.skipped}
          />
          <ModeChoice mode={mode} setMode={setMode} />
          {plan.isError && <ErrorState error={plan.error} retry={() => void plan.refetch()} />}
          {data && <PlanView key={data.digest} plan={data} view={view} />}
          {data && largeChanges > 0 && (
            <LargeChangesAlert
              count={largeChanges}
              isChecked={isChecked}
              onCheck={() => setCheckedDigest(data.digest)}
            />
          )}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          variant="contained"
          disabled={!data || data.changes.length === 0 || !isChecked || plan.isFetching}
          loading={isApplying}
          onClick={() => data && void apply(data)}
        >
          {t('prices.sync.apply', { count: data?.changes.length ?? 0 })}
        </Button>
      </DialogActions>
    </>
  )
}

const ListSummary = ({ list, chooseAnother }: Pick<PreviewProps, 'list' | 'chooseAnother'>) => {
  const t = useT()
  return (
    <Stack
      direction="row"
      sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1, flexWrap: 'wrap' }}
    >
      <span>
        {t('prices.sync.found', {
          count: list.prices.length,
          format: t(`prices.sync.format.${list.format}`),
        })}
      </span>
      <Button size="small" color="inherit" onClick={chooseAnother}>
        {t('prices.sync.again')}
      </Button>
    </Stack>
  )
}

type LargeChangesProps = { count: number; isChecked: boolean; onCheck: () => void }

const LargeChangesAlert = ({ count, isChecked, onCheck }: LargeChangesProps) => {
  const t = useT()
  return (
    <Alert
      severity="warning"
      variant="outlined"
      action={
        <Button size="small" color="inherit" disabled={isChecked} onClick={onCheck}>
          {t('prices.sync.largeChangesChecked')}
        </Button>
      }
    >
      {t('prices.sync.largeChanges', { count })}
    </Alert>
  )
}
