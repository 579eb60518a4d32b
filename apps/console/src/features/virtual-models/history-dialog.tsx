import type { VirtualModel, VirtualModelVersion } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { ConfirmButton, ErrorState, formatTime, useAction, useT } from '../../ui/index.ts'
import { differencesOf } from './differences.ts'

type Props = { model: VirtualModel; close: () => void }

export const HistoryDialog = ({ model, close }: Props) => {
  const t = useT()
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="versions-title">
      <DialogTitle id="versions-title" sx={{ overflowWrap: 'anywhere' }}>
        {t('virtual-models.history.title', { name: model.name })}
      </DialogTitle>
      <DialogContent dividers>
        <Versions model={model} />
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button onClick={close}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

const Versions = ({ model: { id } }: { model: VirtualModel }) => {
  const { data, error, refetch } = useQuery(query(api['virtual-models'].versions, { id }))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={120} />
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {data.map((each, index) => (
        <Version
          key={each.version}
          {...{ id }}
          version={each}
          before={data[index + 1]}
          isCurrent={index === 0}
        />
      ))}
    </Stack>
  )
}

type VersionProps = {
  id: number
  version: VirtualModelVersion
  before: VirtualModelVersion | undefined
  isCurrent: boolean
}

const Version = ({ id, version, before, isCurrent }: VersionProps) => {
  const t = useT()
  const restore = useAction(['virtual-models', 'models'], api['virtual-models'].restore, {
    successKey: 'virtual-models.history.restored',
  })
  const { version: number, actor_name, created_at, restored_version } = version
  // The list ends at the newest hundred versions, so that the last one may have an earlier one.
  const isKnown = before !== undefined || number === 1
  const { added, removed } = differencesOf(t, version, before)
  return (
    <Box
      component="li"
      sx={{ py: 1.5, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
    >
      <Stack
        direction="row"
        useFlexGap
        spacing={1}
        sx={{ alignItems: 'center', flexWrap: 'wrap', minHeight: 34 }}
      >
        <Typography variant="body2" sx={{ fontWeight: 600 }}>
          {t('virtual-models.history.version', { number })}
        </Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary', flex: 1 }}>
          {[
            formatTime(created_at),
            actor_name,
            ...(restored_version === null
              ? []
              : [t('virtual-models.history.restoredFrom', { number: restored_version })]),
          ].join(' · ')}
        </Typography>
        {!isCurrent && (
          <ConfirmButton
            size="small"
            color="inherit"
            title={t('virtual-models.history.restoreTitle', { number })}
            text={t('virtual-models.history.restoreText')}
            confirmLabel={t('virtual-models.history.restore')}
            onConfirm={() => restore({ id, version: number })}
          >
            {t('virtual-models.history.restore')}
          </ConfirmButton>
        )}
      </Stack>
      {isKnown && added.length + removed.length === 0 && (
        <Line>{t('virtual-models.history.same')}</Line>
      )}
      {isKnown &&
        removed.map(each => (
          <Line key={each} sign="−">
            {each}
          </Line>
        ))}
      {added.map(each => (
        <Line key={each} sign={before ? '+' : ''}>
          {each}
        </Line>
      ))}
    </Box>
  )
}

/** The sign says by itself whether a line came or went. */
const Line = ({ sign = '', children }: { sign?: '' | '+' | '−'; children: string }) => (
  <Typography
    variant="body2"
    sx={{
      mt: 0.5,
      overflowWrap: 'anywhere',
      color: sign === '−' ? 'text.secondary' : 'text.primary',
      textDecoration: sign === '−' ? 'line-through' : 'none',
    }}
  >
    {sign && `${sign} `}
    {children}
  </Typography>
)
