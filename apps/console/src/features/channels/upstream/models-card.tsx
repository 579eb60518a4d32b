import type { Channel, ChannelUpstream } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../api/index.ts'
import { Badge, Card, formatTime, useAction, useT } from '../../../ui/index.ts'
import { affectedResources } from '../queries.ts'
import { ReadButton } from './read-button.tsx'

type Models = NonNullable<ChannelUpstream['models']>
type Props = { channel: Channel; models: Models }

/** New and vanished models, of which an administrator chooses those that the channel takes over. */
export const ModelsCard = ({ channel, models }: Props) => {
  const t = useT()
  const { read_at, failure, added, removed } = models
  const intro =
    read_at === 0
      ? t('channel.upstream.never')
      : t('channel.upstream.readAt', { time: formatTime(read_at) })
  const isEqual = read_at > 0 && added.length + removed.length === 0
  return (
    <Card
      title={t('channel.upstream.models')}
      intro={intro}
      actions={<ReadButton channel={channel} />}
    >
      {failure && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2, overflowWrap: 'anywhere' }}>
          {t('channel.upstream.failed', { reason: failure })}
        </Alert>
      )}
      {isEqual && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('channel.upstream.equal')}
        </Typography>
      )}
      {added.length + removed.length > 0 && (
        // Another proposal begins with its own choice.
        <Proposal key={JSON.stringify([added, removed])} id={channel.id} models={models} />
      )}
    </Card>
  )
}

const Proposal = ({ id, models: { added, removed } }: { id: number; models: Models }) => {
  const t = useT()
  const priced = added.filter(each => each.is_priced).map(each => each.model)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(priced))
  const apply = useAction(affectedResources, api.channels.applyModels, {
    successKey: 'channel.upstream.applied',
  })
  const ignore = useAction(affectedResources, api.channels.ignoreModels, {
    successKey: 'channel.upstream.ignored',
  })
  const toggle = (model: string) =>
    setChosen(before => {
      const after = new Set(before)
      if (!after.delete(model)) after.add(model)
      return after
    })
  const isBusy = apply.isPending || ignore.isPending
  const add = added.map(each => each.model).filter(each => chosen.has(each))
  const remove = removed.filter(each => chosen.has(each))
  return (
    <>
      <Names title={t('channel.upstream.added')} models={added} {...{ chosen, toggle }} />
      <Names
        title={t('channel.upstream.removed')}
        models={removed.map(model => ({ model, is_priced: true }))}
        {...{ chosen, toggle }}
      />
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
        <Button
          variant="contained"
          disabled={chosen.size === 0 || isBusy}
          onClick={() => void apply({ id, add, remove })}
        >
          {t('channel.upstream.apply', { count: chosen.size })}
        </Button>
        <Button
          color="inherit"
          disabled={chosen.size === 0 || isBusy}
          onClick={() => void ignore({ id, models: [...chosen] })}
        >
          {t('channel.upstream.ignore')}
        </Button>
      </Stack>
    </>
  )
}

type NamesProps = {
  title: string
  models: Models['added']
  chosen: ReadonlySet<string>
  toggle: (model: string) => void
}

const Names = ({ title, models, chosen, toggle }: NamesProps) => {
  if (models.length === 0) return null
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, mt: 1, minWidth: 0 }}>
      <Typography component="legend" variant="body2" sx={{ fontWeight: 500, p: 0 }}>
        {title} <Badge text={String(models.length)} />
      </Typography>
      <Box sx={{ maxHeight: 280, overflowY: 'auto' }}>
        {models.map(({ model, is_priced }) => (
          <Stack key={model} direction="row" sx={{ alignItems: 'center', gap: 1 }}>
            <FormControlLabel
              control={
                <Checkbox size="small" checked={chosen.has(model)} onChange={() => toggle(model)} />
              }
              label={model}
              sx={{ m: 0, minWidth: 0, '& .MuiFormControlLabel-label': label }}
            />
            {!is_priced && <Badge tone="amber" labelKey="channel.upstream.unpriced" />}
          </Stack>
        ))}
      </Box>
    </Box>
  )
}

const label = { fontSize: 13, overflowWrap: 'anywhere' } as const
