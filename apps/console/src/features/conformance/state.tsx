import RefusedIcon from 'virtual:icons/block'
import OkIcon from 'virtual:icons/check'
import NoteIcon from 'virtual:icons/edit-note'
import OtherwiseIcon from 'virtual:icons/swap-horiz'
import Box from '@mui/material/Box'
import type SvgIcon from '@mui/material/SvgIcon'
import { useT } from '../../ui/index.ts'
import type { ResultState } from './grid.ts'

const appearance: Record<
  ResultState,
  { Icon: typeof SvgIcon; color: 'success' | 'info' | 'warning' | 'error' }
> = {
  ok: { Icon: OkIcon, color: 'success' },
  converted: { Icon: OtherwiseIcon, color: 'info' },
  note: { Icon: NoteIcon, color: 'warning' },
  refused: { Icon: RefusedIcon, color: 'error' },
}

export const colourOf = (state: ResultState): string => `${appearance[state].color}.main`

/** Each result has its own icon, so that it is recognisable without colour. */
export const StateIcon = ({ state, size = 18 }: { state: ResultState; size?: number }) => {
  const { Icon, color } = appearance[state]
  return <Icon aria-hidden color={color} sx={{ fontSize: size, display: 'block' }} />
}

export const StateText = ({ state }: { state: ResultState }) => {
  const t = useT()
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.75,
        fontSize: 13,
        fontWeight: 500,
        whiteSpace: 'nowrap',
      }}
    >
      <StateIcon state={state} />
      {t(`conformance.states.${state}`)}
    </Box>
  )
}
