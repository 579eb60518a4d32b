import type { TriedCandidate, VirtualModel } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { TimeInput } from '../../ui/form/time/input.tsx'
import { Badge, Control, ErrorState, Field, formatPercent, useT } from '../../ui/index.ts'

type Props = { model: VirtualModel; close: () => void }

/** Shows which candidate would serve a request. Nobody is called. */
export const PreviewDialog = ({ model, close }: Props) => {
  const t = useT()
  const [request, setRequest] = useState<PreviewRequest>({
    group: model.groups[0] ?? 'default',
    ...{ tokens: 1_000, tools: false, images: false, at: null },
  })
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="preview-title">
      <DialogTitle id="preview-title" sx={{ overflowWrap: 'anywhere' }}>
        {t('virtual-models.preview.title', { name: model.name })}
      </DialogTitle>
      <DialogContent dividers>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
          {t('virtual-models.preview.intro')}
        </Typography>
        <RequestFields
          {...{ request }}
          groups={model.groups}
          update={part => setRequest({ ...request, ...part })}
        />
        <Result {...{ model, request }} />
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button onClick={close}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

type PreviewRequest = {
  group: string
  tokens: number
  tools: boolean
  images: boolean
  at: number | null
}

type FieldsProps = {
  request: PreviewRequest
  groups: readonly string[]
  update: (part: Partial<PreviewRequest>) => void
}

const RequestFields = ({ request, groups, update }: FieldsProps) => {
  const t = useT()
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      <Field label={t('virtual-models.preview.tokens')}>
        {ids => (
          <Control
            {...ids}
            kind="number"
            options={[]}
            value={Number.isNaN(request.tokens) ? '' : request.tokens}
            set={value => update({ tokens: typeof value === 'number' ? value : Number.NaN })}
          />
        )}
      </Field>
      <Field label={t('virtual-models.preview.group')}>
        {ids => (
          <Control
            {...ids}
            kind="select"
            options={groups.map(each => ({ value: each, label: each }))}
            value={request.group}
            set={value => update({ group: String(value) })}
          />
        )}
      </Field>
      <Field label={t('virtual-models.preview.at')} help={t('virtual-models.preview.atHelp')}>
        {ids => (
          <TimeInput
            {...ids}
            clearable
            value={request.at ?? undefined}
            set={seconds => update({ at: seconds ?? null })}
          />
        )}
      </Field>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {(['tools', 'images'] as const).map(each => (
          <FormControlLabel
            key={each}
            label={t(`virtual-models.preview.${each}`)}
            control={
              <Checkbox
                checked={request[each]}
                onChange={event => update({ [each]: event.target.checked })}
              />
            }
          />
        ))}
      </Stack>
    </Box>
  )
}

const isValid = ({ tokens }: PreviewRequest) => Number.isInteger(tokens) && tokens >= 0

const Result = ({ model, request }: { model: VirtualModel; request: PreviewRequest }) => {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: ['virtual-models', 'preview', model, request],
    queryFn: () => api['virtual-models'].preview({ candidates: model.candidates, ...request }),
    enabled: isValid(request),
    placeholderData: before => before,
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return null
  return (
    <Box sx={{ mt: 2 }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {t('virtual-models.preview.result', { time: data.time_of_day })}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data.candidates.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal rows have no other key, and none has state or moves.
          <Tried key={index} candidate={each} />
        ))}
      </Box>
    </Box>
  )
}

const Tried = ({ candidate }: { candidate: TriedCandidate }) => {
  const t = useT()
  const { model, group, tier, share, channels, reason } = candidate
  return (
    <Stack
      component="li"
      direction="row"
      useFlexGap
      spacing={1}
      sx={{
        ...{ alignItems: 'center', flexWrap: 'wrap', py: 1 },
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 160, overflowWrap: 'anywhere' }}>
        <Typography variant="body2">
          {group === '' ? model : t('virtual-models.inGroup', { model, group })}
        </Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('virtual-models.preview.channels', { tier, count: channels })}
        </Typography>
      </Box>
      {reason === null ? (
        <Badge
          tone="green"
          text={t('virtual-models.preview.share', { percent: formatPercent(100 * share) })}
        />
      ) : (
        <Badge tone="gray" text={t(`virtual-models.reason.${reason}`)} />
      )}
    </Stack>
  )
}
