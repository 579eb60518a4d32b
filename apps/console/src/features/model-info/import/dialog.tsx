import type { ModelInfoList } from '@hub/contract'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId, useState } from 'react'
import { api } from '../../../api/index.ts'
import { ListSource, SkippedEntries } from '../../../domain/list-source.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogCloseButton, ErrorState, useAction, useT } from '../../../ui/index.ts'
import { Conflicts } from './conflicts.tsx'
import { Preview } from './preview.tsx'
import { Progress, Result } from './result.tsx'
import { type Import, useImport } from './use-import.ts'

/** Imports model information in three steps: read a list, look at it, write its entries one by one. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const [list, setList] = useState<ModelInfoList>()
  const [isRunning, setRunning] = useState(false)
  const read = useAction([], api['model-info'].read, { onSuccess: setList })
  const close = isRunning ? undefined : onClose
  return (
    <Dialog
      open
      {...(close && { onClose: close })}
      fullScreen={isPhone}
      maxWidth={list ? 'lg' : 'md'}
      fullWidth
      aria-labelledby={id}
    >
      <DialogTitle id={id} sx={{ pr: 7 }}>
        {t('model-info.import.title')}
      </DialogTitle>
      <DialogCloseButton disabled={isRunning} onClick={onClose} />
      {list ? (
        <ImportSteps {...{ list, onClose, setRunning }} chooseAnother={() => setList(undefined)} />
      ) : (
        <ListSource
          texts="model-info.import"
          isReading={read.isPending}
          read={source => void read(source)}
        />
      )}
    </Dialog>
  )
}

type StepsProps = {
  list: ModelInfoList
  onClose: () => void
  chooseAnother: () => void
  /** The dialog stays open while an import runs. */
  setRunning: (isRunning: boolean) => void
}

const ImportSteps = ({ list, onClose, chooseAnother, setRunning }: StepsProps) => {
  const t = useT()
  const control = useImport(list.infos)
  const { progress, result, steps, error } = control
  const conflicts = list.infos.filter(each => control.isStored(each.model)).length
  const start = async () => {
    setRunning(true)
    await control.start()
    setRunning(false)
  }
  return (
    <>
      <DialogContent sx={{ pt: 0 }}>
        <Stack spacing={2}>
          <Stack
            direction="row"
            sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1, flexWrap: 'wrap' }}
          >
            <span>{t('model-info.import.found', { count: list.infos.length })}</span>
            <Button
              size="small"
              color="inherit"
              disabled={Boolean(progress)}
              onClick={chooseAnother}
            >
              {t('model-info.import.again')}
            </Button>
          </Stack>
          <SkippedEntries
            summary={t('model-info.import.skipped', { count: list.skipped.length })}
            entries={list.skipped}
          />
          {error && <ErrorState error={error} retry={() => void control.refetch()} />}
          {result && <Result result={result} skipped={result.skipped} />}
          {conflicts > 0 && !progress && <Conflicts count={conflicts} {...control} />}
          {progress && <Progress {...progress} />}
          <Preview infos={list.infos} isStored={control.isStored} />
        </Stack>
      </DialogContent>
      <Buttons {...{ control, onClose }} count={steps.length} start={() => void start()} />
    </>
  )
}

type ButtonsProps = { control: Import; count: number; start: () => void; onClose: () => void }

const Buttons = ({ control, count, start, onClose }: ButtonsProps) => {
  const t = useT()
  const isRunning = Boolean(control.progress)
  return (
    <DialogActions sx={{ px: 3, pb: 2 }}>
      {isRunning ? (
        <Button color="inherit" variant="outlined" onClick={control.stop}>
          {t('model-info.import.stop')}
        </Button>
      ) : (
        <Button color="inherit" onClick={onClose}>
          {t(control.result ? 'common.close' : 'common.cancel')}
        </Button>
      )}
      <Button variant="contained" disabled={count === 0} loading={isRunning} onClick={start}>
        {t('model-info.import.start', { count })}
      </Button>
    </DialogActions>
  )
}
