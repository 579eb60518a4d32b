import type { Log } from '@hub/contract'
import Typography from '@mui/material/Typography'
import { useSite } from '../../../api/index.ts'
import { serverAddress } from '../../../domain/server-address.ts'
import { Card, CodeBlock, CopyButton, useT } from '../../../ui/index.ts'
import { curlOf } from './request.ts'

/** The request as a command with placeholders for what is not stored. */
export const Repeat = ({ log }: { log: Log }) => {
  const t = useT()
  const site = useSite()
  const texts = { message: t('log.repeat.message'), rest: t('log.repeat.rest') }
  const command = curlOf(log, serverAddress(site.server_address), texts)
  return (
    <Card
      title={t('log.repeat.title')}
      actions={command !== undefined && <CopyButton text={command} what="curl" />}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: command ? 1.5 : 0 }}>
        {t(command === undefined ? 'log.repeat.unknown' : 'log.repeat.text')}
      </Typography>
      {command !== undefined && <CodeBlock label="curl">{command}</CodeBlock>}
    </Card>
  )
}
