import RefreshIcon from 'virtual:icons/refresh'
import Button from '@mui/material/Button'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useDialog, useT } from '../../ui/index.ts'

/** Loaded when it is opened. */
const ImportDialog = lazy(async () => ({
  default: (await import('./import/dialog.tsx')).ImportDialog,
}))

const listKey = ['model-info']

export const ListButtons = () => {
  const t = useT()
  const client = useQueryClient()
  const isFetching = useIsFetching({ queryKey: listKey }) > 0
  const { isOpen, open, close } = useDialog('import')
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<RefreshIcon />}
        loading={isFetching}
        loadingPosition="start"
        onClick={() => void client.invalidateQueries({ queryKey: listKey })}
      >
        {t('model-info.refresh')}
      </Button>
      <Button variant="outlined" color="inherit" onClick={() => open()}>
        {t('model-info.import.open')}
      </Button>
      {isOpen && (
        <Suspense>
          <ImportDialog onClose={close} />
        </Suspense>
      )}
    </>
  )
}
