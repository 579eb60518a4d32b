import SpeedIcon from 'virtual:icons/speed'
import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { ModelName } from '../../domain/index.ts'
import { splitNames } from '../../ui/form/names.ts'
import { formatFixed, notify, useAction, useT } from '../../ui/index.ts'
import { ResponseBadge } from './status.tsx'
import { readOnlyKey } from './testing/read-only.ts'

/** The duration of the last test, and a menu that starts a new one with any model of the channel. */
export const ResponseTime = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const test = useAction('channels', api.channels.test, { invalidateOnFailure: true })
  const { id, name } = channel
  const models = splitNames(channel.models).filter(model => !model.endsWith('*'))
  const run = async (model?: string) => {
    setAnchor(null)
    const response = await test({ id, ...(model ? { model } : {}) })
    if (!response) return
    const { time, kind, model: tested } = response
    notify.info(
      kind === 'call'
        ? t('channels.tested', { name, model: tested, seconds: formatFixed(time, 2) })
        : t('channels.testedWithoutCall', { name, result: t(readOnlyKey(kind)) }),
    )
  }
  const label = t('channels.testOf', { name })
  return (
    <Box sx={{ display: 'flex', alignItems: 'center' }}>
      <ResponseBadge channel={channel} />
      <Tooltip title={label}>
        <IconButton
          size="small"
          aria-label={label}
          aria-haspopup="menu"
          loading={test.isPending}
          onClick={event => {
            event.stopPropagation()
            setAnchor(event.currentTarget)
          }}
        >
          <SpeedIcon sx={{ fontSize: 17 }} />
        </IconButton>
      </Tooltip>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        onClick={event => event.stopPropagation()}
        slotProps={{ paper: { sx: { maxHeight: 360 } } }}
      >
        <ListSubheader sx={{ lineHeight: '32px', bgcolor: 'transparent' }}>
          {t('channels.testWith')}
        </ListSubheader>
        {channel.test_model && (
          <MenuItem onClick={() => void run()}>
            {t('channels.testModelOf', { model: channel.test_model })}
          </MenuItem>
        )}
        {models
          .filter(model => model !== channel.test_model)
          .map(model => (
            <MenuItem key={model} onClick={() => void run(model)}>
              <ModelName name={model} />
            </MenuItem>
          ))}
      </Menu>
    </Box>
  )
}
