import type { Channel, ChannelUpstream } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { api } from '../../../api/index.ts'
import { Card, formatTime, useAction, useT } from '../../../ui/index.ts'
import { ReadButton } from './read-button.tsx'

type Ratio = NonNullable<ChannelUpstream['ratio']>
type Props = { channel: Channel; ratio: Ratio }

const shownChanges = 5

/** The multiplier that the upstream applies to its prices, and its last changes. */
export const RatioCard = ({
  channel,
  ratio: { group, ratio, read_at, groups, history, change },
}: Props) => {
  const t = useT()
  const confirm = useAction(['channels', 'operations'], api.channels.confirmRatio, {
    successKey: 'channel.upstream.confirmed',
  })
  return (
    <Card
      title={t('channel.upstream.ratio')}
      intro={t('channel.upstream.ofGroup', { group })}
      actions={<ReadButton channel={channel} />}
    >
      {change && (
        <Alert
          severity="warning"
          variant="outlined"
          sx={{ mb: 2 }}
          action={
            <Button
              color="inherit"
              size="small"
              disabled={confirm.isPending}
              onClick={() => void confirm({ id: channel.id })}
            >
              {t('channel.upstream.confirm')}
            </Button>
          }
        >
          {t('channel.upstream.changed', {
            before: change.before,
            after: change.after,
            time: formatTime(change.at),
          })}
        </Alert>
      )}
      <Typography variant="h5" component="p">
        {ratio === null ? t('channel.upstream.unknown') : `× ${ratio}`}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {ratio === null
          ? t('channel.upstream.unknownText')
          : t('channel.upstream.ratioReadAt', { time: formatTime(read_at) })}
      </Typography>
      {history.length > 0 && (
        <Rows
          title={t('channel.upstream.history')}
          rows={history
            .slice(0, shownChanges)
            .map(each => [`${formatTime(each.valid_from)} · ${each.group}`, `× ${each.ratio}`])}
        />
      )}
      {groups.length > 1 && (
        <Rows
          title={t('channel.upstream.groups')}
          rows={groups.map(each => [
            each.name && each.name !== each.group ? `${each.group} (${each.name})` : each.group,
            `× ${each.ratio}`,
          ])}
        />
      )}
    </Card>
  )
}

type RowsProps = { title: string; rows: (readonly [label: string, value: string])[] }

const Rows = ({ title, rows }: RowsProps) => (
  <Box sx={{ mt: 2 }}>
    <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
      {title}
    </Typography>
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 200, overflowY: 'auto' }}>
      {rows.map(([label, value]) => (
        <Box key={label} component="li" sx={row}>
          <span>{label}</span>
          <span>{value}</span>
        </Box>
      ))}
    </Box>
  </Box>
)

const row = {
  display: 'flex',
  justifyContent: 'space-between',
  gap: 2,
  py: 0.5,
  fontSize: 13,
  overflowWrap: 'anywhere',
} as const
