import DoneIcon from 'virtual:icons/check-circle'
import type { Log, Token } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { api, query } from '../../../api'
import { ModelName, Quota } from '../../../domain'
import { Count, Duration, Timestamp, useT } from '../../../ui'
import { CopyExample, ExampleBody, useExample } from '../example.tsx'

/** The command for the first call, and its log entry as soon as it exists. */
export const FirstCall = ({ createdToken }: { createdToken: Token | undefined }) => {
  const t = useT()
  const example = useExample(createdToken)
  const { data } = useQuery({
    ...query(api.logs.self, { page: 1, size: 1, log_type: 2, order: '-id' }),
    refetchInterval: 2000,
  })
  const row = data?.data[0]
  const client = useQueryClient()
  const callId = row?.id
  useEffect(() => {
    if (callId !== undefined) void client.invalidateQueries({ queryKey: ['statistics'] })
  }, [client, callId])
  return (
    <Box sx={{ mt: 2.5, pt: 2.5, borderTop: '1px solid', borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', mb: 1 }}>
        <Typography component="h3" sx={{ fontWeight: 600 }}>
          {t('dashboard.first.call.title')}
        </Typography>
        <CopyExample example={example} />
      </Box>
      <ExampleBody example={example} />
      <Box role="status" sx={{ mt: 2, minHeight: 44, display: 'flex', alignItems: 'center' }}>
        {row ? <ReceivedCall row={row} /> : <Waiting />}
      </Box>
    </Box>
  )
}

const Waiting = () => {
  const t = useT()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, color: 'text.secondary' }}>
      <CircularProgress size={16} color="inherit" aria-hidden />
      <Typography variant="body2">{t('dashboard.first.call.waiting')}</Typography>
    </Box>
  )
}

const ReceivedCall = ({ row }: { row: Log }) => {
  const t = useT()
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        columnGap: 2,
        rowGap: 0.5,
        width: '100%',
        fontSize: 13,
      }}
    >
      <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, fontWeight: 600 }}>
        <DoneIcon color="success" aria-hidden sx={{ fontSize: 20 }} />
        {t('dashboard.first.call.arrived')}
      </Box>
      <ModelName name={row.model_name} />
      <Timestamp at={row.created_at} />
      <Duration ms={row.request_time} />
      <span>
        <Count value={row.prompt_tokens} /> → <Count value={row.completion_tokens} />
      </span>
      <Quota value={row.quota} exact />
      <Button
        component={Link}
        to={`/panel/log?open=${row.id}`}
        size="small"
        sx={{ ml: { sm: 'auto' } }}
      >
        {t('dashboard.first.call.open')}
      </Button>
    </Box>
  )
}
